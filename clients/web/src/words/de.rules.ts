/** Die Regeln von SCOUT, auf Deutsch. */
import type { RulesPage } from "./en.rules";
import { rich } from "./rich";

export const deRules: RulesPage = {
  title: "So spielt man SCOUT",
  lead: rich`Du leitest einen Zirkus. Zeige Sätze, die das schlagen, was in der Manege liegt, scoute Karten bei den anderen und werde deine Hand los. Der Kniff: Die Karten auf deiner Hand tauschen nie die Plätze.`,
  sections: [
    {
      id: "cards",
      heading: "Die Karten",
      text: [
        rich`Jede Karte hat zwei verschiedene Zahlen von 1 bis 10, auf jeder Hälfte eine. Nur die obere zählt: ${{ cards: [[7, 2]] }} ist eine 7, andersherum ist sie eine 2 ${{ cards: [[2, 7]] }}.`,
        rich`Du bekommst die Karten in einer Reihenfolge, und dabei bleibt es. Sortiert wird nie. Es gibt 45 Karten; zu dritt bleiben die mit einer 10 in der Schachtel, zu zweit und zu viert die 9/10.`,
      ],
    },
    {
      id: "orientation",
      heading: "Zuerst: Wie herum?",
      text: [
        rich`Zu Beginn jeder Runde entscheidest du einmal: die ganze Hand behalten, wie sie ausgeteilt wurde, oder die ganze Hand drehen. Die Reihenfolge bleibt, und jede Karte zeigt ihre andere Hälfte. Alle wählen gleichzeitig und geheim.`,
      ],
    },
    {
      id: "turn",
      heading: "Du bist am Zug",
      text: [rich`Reihum tut jeder eines von drei Dingen. Passen gibt es nicht.`],
      points: [
        rich`Zeigen: Lege eine oder mehrere Karten aus, die auf deiner Hand nebeneinander stecken und einen Satz bilden. Liegt schon einer in der Manege, muss deiner stärker sein. Die geschlagenen Karten gehören dir: Jede ist einen Punkt wert. Dein Satz liegt jetzt in der Manege.`,
        rich`Scouten: Nimm die Karte ganz links oder ganz rechts vom Satz in der Manege, lass sie, wie sie ist, oder drehe sie, und stecke sie irgendwo in deine Hand. Wem der Satz gehört, der bekommt eine Scout-Marke; sie ist einen Punkt wert.`,
        rich`Scout & Show: Einmal je Runde darfst du beides in einem Zug, erst scouten, dann zeigen.`,
      ],
    },
    {
      id: "sets",
      heading: "Was ist ein Satz, und welcher ist stärker?",
      text: [
        rich`Ein Satz ist eine einzelne Karte, gleiche Karten ${{
          cards: [
            [5, 1],
            [5, 7],
            [5, 2],
          ],
        }} oder eine Folge in Einerschritten auf- oder abwärts ${{
          cards: [
            [6, 2],
            [7, 9],
            [8, 1],
          ],
        }}. Nach der 10 geht keine Folge mit der 1 weiter.`,
      ],
      points: [
        rich`Mehr Karten schlagen weniger: ${{
          cards: [
            [1, 4],
            [2, 6],
            [3, 8],
          ],
        }} schlägt ${{
          cards: [
            [9, 1],
            [9, 4],
          ],
        }}.`,
        rich`Bei gleich vielen schlagen gleiche Karten eine Folge: ${{
          cards: [
            [2, 5],
            [2, 8],
          ],
        }} schlägt ${{
          cards: [
            [8, 3],
            [9, 6],
          ],
        }}.`,
        rich`Ist auch das gleich, gewinnt die höhere kleinste Zahl: ${{
          cards: [
            [4, 7],
            [5, 9],
          ],
        }} schlägt ${{
          cards: [
            [3, 1],
            [4, 8],
          ],
        }}.`,
      ],
    },
    {
      id: "end",
      heading: "Wann die Runde endet",
      text: [rich`Sofort, wenn eines davon geschieht:`],
      points: [
        rich`Jemand hat die letzte Karte der Hand gezeigt.`,
        rich`Nach einem Zeigen haben alle anderen nacheinander gescoutet: Diesen Satz hat niemand geschlagen.`,
      ],
    },
    {
      id: "score",
      heading: "Punkte",
      text: [
        rich`Je einen Punkt für jede erbeutete Karte und jede Scout-Marke, einen Punkt Abzug für jede Karte auf der Hand. Hat niemand deinen Satz geschlagen, kostet dich deine Hand nichts.`,
        rich`Es gibt so viele Runden wie Mitspielende, und jeder beginnt eine. Wer am Ende die meisten Punkte hat, gewinnt; bei Gleichstand teilt man sich den Sieg.`,
      ],
    },
    {
      id: "two",
      heading: "Zu zweit",
      text: [
        rich`Es gibt kein Scout & Show. Jeder hat je Runde drei Scout-Marken, und jedes Scouten kostet eine. Danach bist du weiter am Zug: noch einmal scouten oder zeigen.`,
        rich`Die Runde endet auch, wenn jemand am Zug weder zeigen noch scouten kann. Übrige Marken sind je einen Punkt wert. Es gibt zwei Runden, die zweite mit der anderen Hälfte der Karten.`,
      ],
    },
    {
      id: "time",
      heading: "Zeit und Aushilfe",
      text: [
        rich`Wer keine Zeit mehr hat, für den spielt die Aushilfe einfache Züge, bis er oder sie zurückkommt. Wer endgültig geht, wird bis zum Schluss vertreten.`,
      ],
    },
    {
      id: "keys",
      heading: "Mit der Tastatur",
      text: [
        rich`Tab führt von Bereich zu Bereich, die Pfeiltasten führen von Karte zu Karte. Eingabe oder Leertaste berührt eine Karte; mit der Umschalttaste wählen die Pfeiltasten mehrere aus. Escape geht einen Schritt zurück.`,
        rich`Beim Scouten führen die Pfeiltasten von Lücke zu Lücke; T dreht die Karte. N zeigt sofort, was die anderen getan haben.`,
      ],
    },
  ],
};
