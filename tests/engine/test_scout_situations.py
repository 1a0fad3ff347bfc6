"""The thirty situations with known outcomes, in their order (the numbers are in the names)."""

import pytest

from engine.game import CHANCE
from engine.scout import SCOUT, Card, Deal, State
from engine.scout.decks import DECKS, FULL
from engine.scout.rules import ups as values
from engine.scout.scoring import round_scores
from tests.engine.positions import (
    after,
    assert_beats,
    assert_does_not_beat,
    assert_legal,
    assert_refused,
    cards,
    legal,
    position,
    ups,
)


class TestStrength:
    def test_01_a_match_beats_a_run_as_long(self) -> None:
        assert_beats("4-4-4", "5-6-7")
        assert_does_not_beat("5-6-7", "4-4-4")

    def test_02_more_cards_beat_fewer(self) -> None:
        assert_beats("1-2-3-4", "10-10-10")

    def test_03_singles_compare_by_number_alone(self) -> None:
        assert_does_not_beat("9", "9")
        assert_beats("10", "9")
        assert_beats("1-1", "10")
        assert_beats("2-3", "10")

    def test_04_the_lowest_pair_beats_the_highest_run_of_two(self) -> None:
        assert_beats("1-1", "9-10")
        assert_does_not_beat("9-8", "1-1")

    def test_05_runs_compare_by_their_smallest_number(self) -> None:
        assert_beats("6-5", "4-5")
        assert_does_not_beat("5-4", "4-5")
        assert_beats("7-6-5", "4-5-6")
        assert_does_not_beat("6-5-4", "4-5-6")

    @pytest.mark.parametrize("text", ["9-10-1", "1-3", "2-2-3", "1-2-1", "3-4-3", "3-5-4"])
    def test_06_these_are_no_sets(self, text: str) -> None:
        state = position("1", f"{text} 8", "1", turn="B")
        assert_refused(state, f"show 1-{len(cards(text))}", "not_a_set")

    def test_07_the_whole_run_beats_nine_ones(self) -> None:
        assert_beats("1-2-3-4-5-6-7-8-9-10", "1-1-1-1-1-1-1-1-1")


class TestScouting:
    def test_08_the_left_card_turned_into_the_second_place(self) -> None:
        state = position("1", "5 7 8 3 3 9", "1", table="3/10-4/8-5/6")
        scouted = after(state, "scout right turned 2")
        assert ups(scouted.hands[1]) == "5 6 7 8 3 3 9"
        assert ups(scouted.active) == "3 4"
        assert scouted.owner == 0
        assert scouted.tokens == (1, 0, 0)
        assert {text.split()[1] for text in legal(state, "scout")} == {"left", "right"}

    def test_09_every_gap_from_end_to_end(self) -> None:
        hand = "1 3 5 7 9 2"
        three = position("1", hand, "1", table="3-4-5")
        assert_legal(three, "scout left 1")
        assert_legal(three, "scout left 7")
        assert_refused(three, "scout left 8", "no_such_gap")
        assert len(legal(three, "scout")) == 28
        one = position("1", hand, "1", table="3")
        assert len(legal(one, "scout")) == 14
        assert_refused(one, "scout right 1", "one_card_set")

    def test_10_what_is_left_of_two_is_a_single(self) -> None:
        state = position("1", "3 5", "8 1", table="6-7")
        left = after(state, "scout left 1")
        assert_legal(left, "show 1")

    def test_11_after_the_last_card_only_a_show_is_left(self) -> None:
        state = position("1 1", "2 4", "3 1", "1 5", table="9")
        scouted = after(state, "scout left 1")
        assert scouted.tokens == (1, 0, 0, 0)
        assert legal(scouted) == ["show 1", "show 2"]
        assert after(scouted, "show 2").captured == (0, 0, 0, 0)

    def test_12_nothing_to_scout_from_an_empty_table(self) -> None:
        state = position("1", "2 4", "3")
        assert_refused(state, "scout left 1", "nothing_to_scout")
        assert_refused(state, "scout left 1 show 1", "nothing_to_scout")


class TestScoutAndShow:
    def test_13_legal_where_the_show_alone_is_not(self) -> None:
        state = position("1 1", "1-1", "1", table="6-7-8")
        assert legal(state, "show") == []
        shown = after(state, "scout left 1 show 2-3")
        assert shown.captured == (0, 2, 0)
        assert shown.tokens == (1, 0, 0)

    def test_14_not_legal_where_no_show_follows(self) -> None:
        state = position("1", "3 6", "1", table="10/1-10/2-10/3-10/4")
        assert legal(state, "show") == legal(state, "scout & show") == []
        assert len(legal(state, "scout")) == 12

    def test_15_the_last_card_shown_at_once(self) -> None:
        state = position("1", "8 2", "1", table="9/1")
        shown = after(state, "scout left 1 show 1-2")
        assert ups(shown.active) == "9 8"
        assert shown.captured == (0, 0, 0)
        assert shown.tokens == (1, 0, 0)

    def test_16_refused_it_changes_nothing_and_it_comes_once_a_round(self) -> None:
        state = position("1 1", "3/5 6/8 1/3", "1 9", table="8/1-8/2")
        before = SCOUT.text(state)
        assert_refused(state, "scout left 1 show 2", "not_stronger")
        assert_refused(state, "scout left 9 show 2", "no_such_gap")
        assert_refused(state, "scout left 1 show 4-5", "no_such_cards")
        assert SCOUT.text(state) == before
        assert after(state, "scout left 1").scout_show == (True, True, True)
        once = position("1 1", "9 6 1", "1 9", table="8/1-8/2", used="B")
        assert_refused(once, "scout left 1 show 2", "scout_show_used")
        assert legal(once, "scout & show") == []

    def test_16_the_right_is_spent_and_comes_back_with_the_next_round(self) -> None:
        state = position("1 1", "9 6 1", "1", table="8/1-8/2")
        spent = after(state, "scout left 1 show 2")
        assert spent.scout_show == (True, False, True)
        ended = after(spent, "scout left 1", "show 1-2")
        assert ended.phase == "deal"
        dealt = SCOUT.apply(ended, CHANCE, SCOUT.chance(ended, lambda n: 0))
        assert dealt.scout_show == (True, True, True)

    def test_17_it_restarts_the_count_of_scouts(self) -> None:
        state = position("5 6 7 8 1", "1 4", "9 9 9 2", "1 3", turn="A")
        restarted = after(state, "show 1-4", "scout left 1", "scout right 5 show 1-3")
        assert restarted.captured == (0, 0, 2, 0)
        assert restarted.scouts == 0
        ended = after(restarted, "scout left 1", "scout left 1", "scout left 1")
        assert ended.results[0].reason == "unbeaten"
        assert ended.results[0].ender == 2


class TestEndsAndScores:
    def test_18_unbeaten_although_the_last_card_was_scouted(self) -> None:
        ended = after(position("7 7 1", "2", "3", turn="A"), "show 1-2", "scout left 1", "scout left 1")
        assert ended.active == ()
        assert ended.results[0].reason == "unbeaten"
        assert ended.results[0].scores[0] == 2

    def test_19_one_scout_of_two_is_not_enough(self) -> None:
        state = after(position("7 1", "2 5", "3 1", turn="A"), "show 1", "scout left 1")
        assert state.phase == "play"
        assert state.turn == 2
        assert legal(state) == ["show 1", "show 2"]

    def test_20_the_card_left_on_the_table_counts_for_nobody(self) -> None:
        scout = "scout left 1"
        state = position("1-2-3-4-5-9", "1", "1", "1", "1", turn="A")
        ended = after(state, "show 1-5", scout, scout, scout, scout)
        assert len(ended.active) == 1
        assert ended.results[0].scores == (4, -2, -2, -2, -2)

    def test_21_an_emptied_hand_exempts_nobody_else(self) -> None:
        ended = after(position("1 1", "9", "3", table="8"), "scout left 1 show 1-2")
        assert ended.results[0].reason == "emptied"
        assert ended.results[0].ender == 1
        assert ended.results[0].waived is None
        assert ended.results[0].scores == (1 - 2, 0, -1)

    def test_22_what_a_round_is_worth(self) -> None:
        assert round_scores([2], [1], [5], None) == (-2,)
        assert round_scores([3], [2], [0], None) == (5,)
        assert round_scores([2], [5], [3], 0) == (7,)

    def test_23_a_tie_is_a_shared_win(self) -> None:
        alone = SCOUT.outcome(after(position("7 7", "1", "2", turn="A", round=3, captured=(0, 3, 2)), "show 1-2"))
        assert alone is not None
        assert alone.scores == (0, 2, 1)
        assert alone.winners == (1,)
        shared = SCOUT.outcome(after(position("7 7", "1", "2", turn="A", round=3, captured=(1, 2, 1)), "show 1-2"))
        assert shared is not None
        assert shared.scores == (1, 1, 0)
        assert shared.winners == (0, 1)


class TestSetUp:
    def test_24_the_decks(self) -> None:
        assert len(DECKS[3]) == 36
        assert not any(10 in card for card in DECKS[3])
        assert set(FULL) - set(DECKS[4]) == {(9, 10)}
        assert DECKS[2] == DECKS[4]
        assert len(DECKS[5]) == 45 == len(set(DECKS[5]))

    def test_25_the_whole_hand_is_turned(self) -> None:
        hand = tuple(map(Card, (7, 7, 1, 2, 4, 9, 5, 8, 5), (2, 4, 3, 6, 3, 2, 2, 4, 9)))
        rest = [card for card in FULL if card not in set(map(Card.flat, hand))]
        hands = (hand, *(tuple(rest[seat * 9 : seat * 9 + 9]) for seat in range(4)))
        state = SCOUT.apply(SCOUT.initial(5), CHANCE, Deal(0, hands))
        turned = SCOUT.apply(state, 0, SCOUT.read("turn"))
        assert values(turned.hands[0]) == [2, 4, 3, 6, 3, 2, 2, 4, 9]
        assert SCOUT.apply(state, 0, SCOUT.read("keep")).hands == state.hands


class TestTwoPlayers:
    def test_26_a_scout_costs_a_token_and_the_turn_stays(self) -> None:
        state = after(position("1 2 5", "2 4", table="7-8"), "scout left 1")
        assert state.tokens == (3, 2)
        assert state.turn == 1

    def test_27_over_at_once_when_nothing_can_be_done(self) -> None:
        ended = after(position("9 9 9 1", "2 4", turn="A", tokens=(3, 0)), "show 1-3")
        assert ended.results[0].reason == "unbeaten"
        assert ended.results[0].ender == 0
        assert ended.results[0].scores == (3, -2)

    def test_28_after_the_last_card_the_same_player_must_show(self) -> None:
        state = after(position("1 5", "2 4", table="7"), "scout left 1")
        assert state.turn == 1
        assert legal(state) == ["show 1", "show 2", "show 3"]
        shown = after(state, "show 1")
        assert shown.captured == (0, 0)
        assert shown.turn == 0

    def test_29_without_a_show_the_scout_is_forced(self) -> None:
        state = position("1", "2 4", table="9-9", tokens=(3, 1))
        assert legal(state) == legal(state, "scout")
        assert len(legal(state)) == 12
        ended = after(position("1", "2 4", table="9/1-9/2-9/3", tokens=(3, 1)), "scout left 1")
        assert ended.results[0].reason == "unbeaten"

    def test_29_without_tokens_there_is_no_scout_and_there_is_never_scout_and_show(self) -> None:
        state = position("1", "2 4 9", table="8", tokens=(3, 0))
        assert_refused(state, "scout left 1", "no_tokens")
        assert legal(state) == ["show 3"]
        assert_refused(position("1", "2 9", table="8"), "scout left 1 show 3", "no_scout_show")

    def test_30_the_second_round_is_dealt_from_the_cards_kept_back(self) -> None:
        state = SCOUT.initial(2)
        deal = SCOUT.chance(state, lambda n: 1)
        assert len(deal.kept) == 22
        state = _until_round_ends(SCOUT.apply(state, CHANCE, deal))
        second = SCOUT.chance(state, _never)
        assert second.start == 1 - deal.start
        assert second.hands == (deal.kept[:11], deal.kept[11:])
        assert SCOUT.apply(state, CHANCE, second).tokens == (3, 3)


def _never(n: int) -> int:
    raise AssertionError("nothing is drawn for the second round")


def _until_round_ends(state: State) -> State:
    while state.phase != "deal":
        seat = min(state.actors)
        state = SCOUT.apply(state, seat, next(iter(SCOUT.legal_actions(state, seat))))
    return state
