"""Programs that speak UCI, as the scripts that play matches drive them."""

import subprocess
import sys


class Engine:
    """A program that speaks UCI."""

    def __init__(self, command, options):
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci")
        self.until("uciok")
        for name, value in options.items():
            self.say(f"setoption name {name} value {value}")

    def say(self, line):
        self.program.stdin.write(line + "\n")
        self.program.stdin.flush()

    def until(self, word):
        """The lines up to the one that begins with a word, each as its words."""
        lines = []
        for line in iter(self.program.stdout.readline, ""):
            lines.append(line.split())
            if lines[-1][:1] == [word]:
                return lines
        sys.exit("an engine has gone")

    def place(self, moves):
        """Plays moves from the start; whether Lusoria knows all of them."""
        self.say("position startpos" + " moves " * bool(moves) + " ".join(moves))
        self.say("isready")
        return all(words[:2] != ["info", "string"] for words in self.until("readyok"))

    def think(self, seconds):
        """Its move, and the positions or random games a second."""
        self.say(f"go movetime {round(1000 * seconds)}")
        *told, answer = self.until("bestmove")
        rate = 0
        for words in told:
            if "nodes" in words and "time" in words:
                nodes, time = (int(words[words.index(name) + 1]) for name in ("nodes", "time"))
                rate = 1000 * nodes / max(1, time)
        return answer[1], rate


def plain(text):
    """A move without what stands between its cells."""
    return "".join(character for character in text if character.isalnum() and character != "x")
