"""Makes the golden records anew: ``python -m tests.engine.golden.make``, after a change of the rules that is meant.

Each is a whole game of moves that are sensible most of the time. After a move the comment gives how many legal moves
there were; now and then a comment line holds the whole state.
"""

from pathlib import Path
from random import Random

from engine.game import CHANCE
from engine.games import GAMES, AnyGame
from engine.record import Record, RecordLine

FOLDER = Path(__file__).parent
EVERY = 12


def main() -> None:
    for game in GAMES.values():
        for players in game.seats:
            for variant in game.variants:
                name = "-".join(filter(None, (game.name, str(players), variant)))
                record = play(game, players, variant, Random(players))
                (FOLDER / f"{name}.txt").write_text(str(record), encoding="utf-8")


def play(game: AnyGame, players: int, variant: str, random: Random) -> Record:
    state = game.initial(players, variant)
    lines: list[RecordLine] = []
    moves = 0
    while state.actors:
        actor = random.choice(sorted(state.actors))
        comment = None
        if actor == CHANCE:
            action = game.chance(state, random.randrange)
        else:
            legal = list(game.legal_actions(state, actor))
            at_random = random.random() < 0.3
            action = random.choice(legal) if at_random else game.minder_move(game.observe(state, actor))
            comment = f"of {len(legal)}"
        state = game.apply(state, actor, action)
        moves += 1
        lines.append(RecordLine(moves, actor, game.write(action), comment))
        if moves % EVERY == 0 or game.pauses(state) or not state.actors:
            lines.append(RecordLine(comment=game.text(state)))
    outcome = game.outcome(state)
    return Record(game.name, players, variant, (), tuple(lines), None if outcome is None else outcome.scores)


if __name__ == "__main__":
    main()
