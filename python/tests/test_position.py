"""Positions in the manner of python-chess, and what goes wrong."""

import copy

import pytest

import lusoria


def test_moves_are_played_and_taken_back():
    position = lusoria.load("breakthrough").start()
    begun = position.text
    assert len(position.legal_moves) == 22
    assert "a2-a3" in position.legal_moves
    position.push("a2-a3")
    position.push(position.legal_moves[0])
    assert [str(move) for move in position.move_stack][0] == "a2-a3"
    assert position.turn == "White"
    position.pop()
    assert str(position.pop()) == "a2-a3"
    assert position.text == begun and position.peek() is None
    with pytest.raises(IndexError):
        position.pop()


def test_a_move_tells_what_it_does():
    position = lusoria.load("breakthrough").position("8/8/8/8/3B4/2W5/8/8 White")
    takes = position.parse_move("c3xd4")
    assert (takes.from_cell, takes.to_cell, takes.captures()) == ("c3", "d4", ["d4"])
    assert takes.player == "White" and takes.ends_turn and takes.probability is None
    assert len({takes, position.parse_move("c3xd4")}) == 1


def test_a_pass_may_be_left_out():
    position = lusoria.load("othello").position("BW6/8/8/8/8/8/8/1WBBBBBB White")
    position.push("a1")
    assert [str(move) for move in position.move_stack] == ["pass", "a1"]
    with pytest.raises(lusoria.NotationError):
        lusoria.load("othello").position("BW6/8/8/8/8/8/8/1WBBBBBB White").push("d4")


def test_outcomes_say_who_won_and_why():
    position = lusoria.load("breakthrough").position("8/W7/8/3B4/8/8/6B1/8 White")
    assert position.outcome() is None and position.payoffs() is None
    position.push("a7-a8")
    outcome = position.outcome()
    assert position.is_game_over() and outcome.winner == "White" and not outcome.is_draw
    assert "breakthrough.rules" in outcome.text
    assert position.payoffs() == [1.0, 0.0]
    assert position.legal_moves == []


def test_copies_go_their_own_ways():
    position = lusoria.load("chess").start()
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        other.push("e2-e4")
        assert other != position
        other.pop()
        assert other == position and hash(other) == hash(position)


def test_positions_are_drawn():
    position = lusoria.load("chess").start()
    assert position._repr_svg_().startswith("<svg ")
    assert len(str(position).splitlines()) > 8
    assert repr(position).startswith("Position(")
    assert position.men("e1") == [("White", "king")]
    with pytest.raises(KeyError):
        position.men("z99")


def test_python_chess_has_the_same_moves():
    chess = pytest.importorskip("chess")
    position, board = lusoria.load("chess").start(), chess.Board()
    for text in ["e2-e4", "c7-c5", "g1-f3", "d7-d6", "d2-d4", "c5xd4"]:
        assert len(position.legal_moves) == board.legal_moves.count()
        position.push(text)
        board.push_uci(text.replace("-", "").replace("x", ""))
    assert len(position.legal_moves) == board.legal_moves.count()


def test_mistakes_of_a_file_have_places(tmp_path):
    file = tmp_path / "wrong.rules"
    file.write_text('game "Wrong" {\n  players White, Black\n  board square 3 by 3\n  piece stone\n  move { pik c }\n}\n')
    with pytest.raises(lusoria.RulesError) as caught:
        lusoria.load(file)
    error = caught.value
    assert error.file == str(file) and error.line == 5 and error.column > 1 and error.code
    assert error.errors[0]["message"] and isinstance(error, ValueError)


def test_names_that_stand_for_nothing_are_told():
    with pytest.raises(lusoria.UnknownGameError, match="breakthrough"):
        lusoria.load("breakthru")
    with pytest.raises(TypeError):
        lusoria.load("breakthrough", size="wide")
    with pytest.raises(lusoria.RulesError):
        lusoria.load("breakthrough", size=1000)


def test_texts_that_cannot_be_read_are_told():
    game = lusoria.load("breakthrough")
    with pytest.raises(lusoria.NotationError) as caught:
        game.position("8/8/8/8/8/8/8/x7 White")
    assert caught.value.code and caught.value.line == 1 and caught.value.column == 15
    position = game.start()
    with pytest.raises(lusoria.NotationError) as caught:
        position.push("a2-a5")
    assert caught.value.code == "unknown-move" or caught.value.help
    assert position.text == game.start().text


def test_the_set_up_may_be_drawn():
    game = lusoria.load("chess960")
    assert game.start(1).text == game.start(1).text
    assert len({game.start(seed).text for seed in range(20)}) > 10
    assert game.start(setup=518).text.split()[0] == lusoria.load("chess").start().text.split()[0]
    with pytest.raises(lusoria.LusoriaError):
        game.start(setup=960)
