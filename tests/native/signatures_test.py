"""Signatures of profiles: keys and files of minisign (0.11, Debian 12), and what is refused.

    signatures_test.py PODWRIGHT

tests/native/signatures holds a profile of scripted devices, keys that minisign made (`-G -W`, and with the password
"correct horse" `-G`), and signatures that it wrote (`-S`, and `-S -l` of the file itself).
"""

import base64
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

podwright = str(pathlib.Path(sys.argv[1]).resolve())
VECTORS = pathlib.Path(__file__).resolve().parent / "signatures"
SIGNS = "built without libsodium" not in subprocess.run(
    [podwright, "sign", "--new-key", "/nonexistent/key"], capture_output=True, encoding="utf-8", check=False
).stderr


def run(*words, **more):
    return subprocess.run([podwright, *map(str, words)], capture_output=True, encoding="utf-8", check=False, **more)


def changed_bits(text, line, at):
    """The same with one bit of a line's base64 changed."""
    lines = text.split("\n")
    value = bytearray(base64.b64decode(lines[line]))
    value[at] ^= 1
    lines[line] = base64.b64encode(value).decode()
    return "\n".join(lines)


class WithoutLibrary(unittest.TestCase):
    @unittest.skipIf(SIGNS, "this program was built with libsodium")
    def test_is_said(self):
        profile, key = VECTORS / "profile.json", VECTORS / "open.pub"
        for words in (["verify", profile], ["calibrate", profile], ["merge", profile, "-o", "/dev/null"]):
            self.assertEqual(run(*words, "--trusted", key).returncode, 3)


@unittest.skipUnless(SIGNS, "this program was built without libsodium")
class Signatures(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.profile = self.folder / "profile.json"
        self.signature = self.folder / "profile.json.minisig"
        shutil.copy(VECTORS / "profile.json", self.profile)
        self.was_signed = (VECTORS / "profile.json.minisig").read_text(encoding="utf-8")
        self.signature.write_text(self.was_signed, encoding="utf-8")

    def commands(self, key):
        """Each with what it would write."""
        yield ["verify", self.profile, "--trusted", key], None
        for words in (["verify", "--json"], ["verify", "--format", "prometheus"], ["calibrate"]):
            yield [*words, self.profile, "--trusted", key], None
        for command in ("calibrate", "merge"):
            output = self.folder / f"{command}.json"
            yield [command, self.profile, "--trusted", key, "-o", output], output

    def refused(self, words, key=VECTORS / "open.pub"):
        for command, output in self.commands(key):
            ended = run(*command)
            self.assertEqual(ended.returncode, 2, (command, ended.stderr))
            self.assertIn(words, ended.stderr, command)
            self.assertEqual(ended.stdout, "", command)
            self.assertFalse(output and output.exists(), command)

    def test_of_minisign_are_taken(self):
        for command, output in self.commands(VECTORS / "open.pub"):
            ended = run(*command)
            self.assertLess(ended.returncode, 2, (command, ended.stderr))
            # Scripted devices give no rates that a file could hold.
            self.assertEqual(bool(output and output.exists()), command[0] == "merge", command)
        text = run("verify", self.profile, "--trusted", VECTORS / "open.pub").stdout
        self.assertIn("It was signed with the key ", text)
        self.assertIn("a node of a test", text)
        line = (VECTORS / "open.pub").read_text(encoding="utf-8").split("\n")[1]
        self.assertLess(run("verify", self.profile, "--trusted", VECTORS / "other.pub", "--trusted", line).returncode, 2)

    def test_what_is_not_what_was_signed_is_refused(self):
        lines = self.was_signed.split("\n")
        comment = self.was_signed.replace("a node of a test", "another node")
        for name, text, words in (
            ("changed comment", comment, "The trusted comment is not the one that was signed"),
            ("changed signature", changed_bits(self.was_signed, 1, 40), "The file is not the one that was signed"),
            ("changed global signature", changed_bits(self.was_signed, 3, 0), "The trusted comment is not"),
            ("changed number of the key", changed_bits(self.was_signed, 1, 2), "which is not trusted"),
            ("other algorithm", changed_bits(self.was_signed, 1, 0), "its algorithm is not known"),
            ("cut base64", "\n".join([lines[0], lines[1][:-4], *lines[2:]]), "line 2 is cut off or damaged"),
            ("cut base64 of all", "\n".join([*lines[:3], lines[3][:-1]]), "line 4 is cut off or damaged"),
            ("longer base64", "\n".join([lines[0], lines[1] + "AAAA", *lines[2:]]), "line 2 is cut off or damaged"),
            ("three lines", "\n".join(lines[:3]), "it is not the four lines"),
            ("empty", "", "it is not the four lines"),
            ("zeros", "\0" * 4096, "it is not the four lines"),
        ):
            with self.subTest(name):
                self.signature.write_text(text, encoding="utf-8")
                self.refused(words)

    def test_another_file_is_refused(self):
        text = self.profile.read_text(encoding="utf-8")
        self.profile.write_text(text + "\n", encoding="utf-8")
        self.refused("The file is not the one that was signed")

    def test_another_key_is_refused(self):
        self.refused("which is not trusted", VECTORS / "other.pub")
        # The number of a key is no secret: one that bears it and is another is refused all the same.
        ours, theirs = ((VECTORS / f"{name}.pub").read_text(encoding="utf-8").split("\n") for name in ("open", "other"))
        forged = base64.b64decode(ours[1])[:10] + base64.b64decode(theirs[1])[10:]
        key = self.folder / "forged.pub"
        key.write_text(f"{ours[0]}\n{base64.b64encode(forged).decode()}\n", encoding="utf-8")
        self.refused("The file is not the one that was signed", key)

    def test_none_is_refused(self):
        self.signature.unlink()
        self.refused("profile.json.minisig")
        with open(self.profile, encoding="utf-8") as profile:
            self.assertEqual(run("verify", "-", "--trusted", VECTORS / "open.pub", stdin=profile).returncode, 2)

    def test_of_the_file_itself_is_refused(self):
        shutil.copy(VECTORS / "profile.json.whole.minisig", self.signature)
        self.refused("it is of the file itself")

    def test_one_of_several_ranks_is_enough_to_refuse(self):
        shutil.copy(self.profile, self.folder / "unsigned.json")
        output = self.folder / "merged"
        self.assertEqual(run("merge", self.folder, "-o", output, "--trusted", VECTORS / "open.pub").returncode, 2)
        self.assertFalse(output.exists())

    def test_what_is_no_key_is_refused(self):
        for name, text in (("text", "hello"), ("secret", (VECTORS / "open.key").read_text(encoding="utf-8")), ("empty", "")):
            key = self.folder / name
            key.write_text(text, encoding="utf-8")
            self.assertEqual(run("verify", self.profile, "--trusted", key).returncode, 2, name)
        public = run("sign", self.profile, "--key", VECTORS / "open.pub")
        self.assertEqual(public.returncode, 2)
        self.assertIn("no secret key", public.stderr)
        damaged = self.folder / "damaged.key"
        damaged.write_text(changed_bits((VECTORS / "open.key").read_text(encoding="utf-8"), 1, 80), encoding="utf-8")
        self.assertEqual(run("sign", self.profile, "--key", damaged).returncode, 2)

    def test_a_key_of_minisign_signs_as_it_does(self):
        self.signature.unlink()
        self.assertEqual(run("sign", self.profile, "--key", VECTORS / "open.key").returncode, 0)
        # Ed25519 draws nothing: the same key and file give the same signature.
        self.assertEqual(self.signature.read_text(encoding="utf-8").split("\n")[1], self.was_signed.split("\n")[1])
        self.assertLess(run("verify", self.profile, "--trusted", VECTORS / "open.pub").returncode, 2)

    def test_a_key_with_a_password_asks_for_it(self):
        wrong = run("sign", self.profile, "--key", VECTORS / "hidden.key", input="wrong\n")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("The password is not that of this key", wrong.stderr)
        self.assertEqual(self.signature.read_text(encoding="utf-8"), self.was_signed, "the old one stays")
        self.assertEqual(run("sign", self.profile, "--key", VECTORS / "hidden.key", input="correct horse\n").returncode, 0)
        self.assertLess(run("verify", self.profile, "--trusted", VECTORS / "hidden.pub").returncode, 2)

    def test_a_password_that_takes_all_memory_is_refused(self):
        lines = (VECTORS / "hidden.key").read_text(encoding="utf-8").split("\n")
        value = bytearray(base64.b64decode(lines[1]))
        value[38:54] = (2**60).to_bytes(8, "little") * 2
        key = self.folder / "greedy.key"
        key.write_text(f"{lines[0]}\n{base64.b64encode(value).decode()}\n", encoding="utf-8")
        self.assertEqual(run("sign", self.profile, "--key", key, input="correct horse\n").returncode, 2)

    def test_a_new_key_is_secret_and_signs(self):
        name = self.folder / "new"
        self.assertEqual(run("sign", "--new-key", name).returncode, 0)
        secret = self.folder / "new.key"
        self.assertEqual(stat.S_IMODE(os.stat(secret).st_mode), 0o600)
        before = secret.read_bytes()
        self.assertEqual(run("sign", "--new-key", name).returncode, 2, "it is there already")
        self.assertEqual(secret.read_bytes(), before)
        self.assertEqual(run("sign", self.profile, "--key", secret).returncode, 0)
        self.assertLess(run("verify", self.profile, "--trusted", self.folder / "new.pub").returncode, 2)
        self.refused("which is not trusted")
        self.assertEqual(run("sign", "--new-key", self.folder / "none/new").returncode, 3)

    @unittest.skipUnless(shutil.which("minisign"), "minisign is not installed")
    def test_minisign_takes_keys_and_signatures(self):
        run("sign", "--new-key", self.folder / "new")
        run("sign", self.profile, "--key", self.folder / "new.key")
        for words in (
            ["-Vm", self.profile, "-p", self.folder / "new.pub"],
            ["-Sm", self.profile, "-s", self.folder / "new.key"],
            ["-Vm", self.profile, "-p", self.folder / "new.pub"],
        ):
            ended = subprocess.run(["minisign", *map(str, words)], capture_output=True, check=False, input=b"\n")
            self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_what_is_no_profile_is_not_signed(self):
        self.profile.write_text("{}", encoding="utf-8")
        self.assertEqual(run("sign", self.profile, "--key", VECTORS / "open.key").returncode, 2)
        for words in (["sign"], ["sign", self.profile], ["sign", self.profile, "--new-key", self.folder / "x"]):
            self.assertEqual(run(*words).returncode, 2, words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
