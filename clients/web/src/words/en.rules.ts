/** The rules of SCOUT, in English. */
import { rich, type Rich } from "./rich";

export interface RulesPage {
  title: string;
  lead: Rich;
  sections: { id: string; heading: string; text: Rich[]; points?: Rich[] }[];
}

export const enRules: RulesPage = {
  title: "How to play SCOUT",
  lead: rich`You lead a circus. Show sets of cards that beat what lies in the ring, scout cards from the others' sets, and be rid of your hand. The twist: the cards in your hand never change places.`,
  sections: [
    {
      id: "cards",
      heading: "The cards",
      text: [
        rich`Every card has two different numbers from 1 to 10, one on each half. Only the upper one counts: ${{ cards: [[7, 2]] }} is a 7, and the other way up it is a 2 ${{ cards: [[2, 7]] }}.`,
        rich`You get your cards in an order, and that order stays. You never sort them. There are 45 cards; with three players those with a 10 stay in the box, with two or four the 9/10.`,
      ],
    },
    {
      id: "orientation",
      heading: "First: which way up?",
      text: [
        rich`At the start of each round you choose once: keep the whole hand as it was dealt, or turn the whole hand over. The order stays, and every card shows its other half. All choose at the same time, in secret.`,
      ],
    },
    {
      id: "turn",
      heading: "Your turn",
      text: [rich`Going round, everybody does one of three things. There is no passing.`],
      points: [
        rich`Show: lay down one or more cards that are neighbours in your hand and make a set. If a set lies in the ring, yours must be stronger. The beaten cards are yours: each is worth a point. Your set now lies in the ring.`,
        rich`Scout: take the leftmost or the rightmost card of the set in the ring, keep it as it is or turn it, and put it anywhere in your hand. The owner of the set gets a scout token, worth a point.`,
        rich`Scout & Show: once a round you may do both in one turn, first the Scout and then the Show.`,
      ],
    },
    {
      id: "sets",
      heading: "What is a set, and which is stronger?",
      text: [
        rich`A set is a single card, equal cards ${{
          cards: [
            [5, 1],
            [5, 7],
            [5, 2],
          ],
        }}, or a run going up or down by one ${{
          cards: [
            [6, 2],
            [7, 9],
            [8, 1],
          ],
        }}. After 10 no run goes on with 1.`,
      ],
      points: [
        rich`More cards beat fewer: ${{
          cards: [
            [1, 4],
            [2, 6],
            [3, 8],
          ],
        }} beats ${{
          cards: [
            [9, 1],
            [9, 4],
          ],
        }}.`,
        rich`With as many cards, equal ones beat a run: ${{
          cards: [
            [2, 5],
            [2, 8],
          ],
        }} beats ${{
          cards: [
            [8, 3],
            [9, 6],
          ],
        }}.`,
        rich`If that is equal, too, the higher smallest number wins: ${{
          cards: [
            [4, 7],
            [5, 9],
          ],
        }} beats ${{
          cards: [
            [3, 1],
            [4, 8],
          ],
        }}.`,
      ],
    },
    {
      id: "end",
      heading: "The end of a round",
      text: [rich`A round ends at once when one of these happens:`],
      points: [
        rich`Somebody has shown the last card of the hand.`,
        rich`After a Show all the others have scouted in a row: nobody has beaten that set.`,
      ],
    },
    {
      id: "score",
      heading: "Points",
      text: [
        rich`One point for each captured card and each scout token; one point less for each card left in your hand. If nobody beat your set, your hand costs you nothing.`,
        rich`There are as many rounds as players, and each begins one. Whoever has the most points in the end wins; a tie is a shared win.`,
      ],
    },
    {
      id: "two",
      heading: "With two players",
      text: [
        rich`There is no Scout & Show. Each has three scout tokens in a round, and every Scout costs one. After a Scout you go on: scout again, or show.`,
        rich`The round also ends when the player on turn can neither show nor scout. Tokens left are a point each. There are two rounds, and the second is played with the other half of the cards.`,
      ],
    },
    {
      id: "time",
      heading: "Time, and the minder",
      text: [
        rich`Whoever runs out of time is played for by the minder, with simple moves, until they come back. Whoever leaves for good is minded to the end.`,
      ],
    },
    {
      id: "keys",
      heading: "With the keyboard",
      text: [
        rich`Tab goes from part to part, the arrow keys from card to card. Enter or space touches a card; with shift, the arrow keys choose several. Escape goes back a step.`,
        rich`While you scout, the arrow keys go from gap to gap; T turns the card. N shows at once what the others have done.`,
      ],
    },
  ],
};
