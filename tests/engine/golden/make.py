"""Makes the golden records anew: ``python -m tests.engine.golden.make``, after a change of the rules that is meant.

Each is a whole game of moves that are sensible most of the time. After a move the comment gives how many legal moves
there were; now and then a comment line holds the whole state.
"""

from pathlib import Path
from random import Random

from engine.game import CHANCE
from engine.record import Record, RecordLine
from engine.scout import SCOUT, Action, State
from engine.scout.bridge import to_action, to_position
from engine.scout.playout import light_move

FOLDER = Path(__file__).parent
EVERY = 12


def main() -> None:
    for players in SCOUT.seats:
        (FOLDER / f"scout-{players}.txt").write_text(str(play(players, Random(players))), encoding="utf-8")


def play(players: int, random: Random) -> Record:
    state = SCOUT.initial(players)
    lines: list[RecordLine] = []
    moves = 0
    while state.actors:
        actor = random.choice(sorted(state.actors))
        if actor == CHANCE:
            action: Action = SCOUT.chance(state, random.randrange)
            comment = None
        else:
            legal = list(SCOUT.legal_actions(state, actor))
            action = legal[random.randrange(len(legal))] if random.random() < 0.3 else sensible(state, actor)
            comment = f"of {len(legal)}"
        state = SCOUT.apply(state, actor, action)
        moves += 1
        lines.append(RecordLine(moves, actor, SCOUT.write(action), comment))
        if moves % EVERY == 0 or state.phase in ("deal", "over"):
            lines.append(RecordLine(comment=SCOUT.text(state)))
    return Record("scout", players, moves=tuple(lines), totals=state.points)


def sensible(state: State, seat: int) -> Action:
    position = to_position(state)
    position.turn = seat
    return to_action(light_move(position))


if __name__ == "__main__":
    main()
