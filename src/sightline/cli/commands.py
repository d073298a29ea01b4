"""THE TABLE of commands; each is imported only when it is used."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from sightline.cli.exits import FAILURE, INTERRUPTED, in_words, one_line_errors

EPILOG: Final = (
    "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 wrong settings, 4 database unavailable "
    "or port taken, 5 done but some rows were bad, 130 interrupted."
)


@dataclass(frozen=True)
class Entry:
    """Where a command is: a function (a command) or a Typer (a group of commands) of a module."""

    module: str
    attribute: str
    summary: str


COMMANDS: Final[dict[str, Entry]] = {
    "up": Entry("up", "up", "Start everything on this machine; Ctrl-C stops all of it."),
    "serve": Entry("up", "serve", "Run only the API."),
    "worker": Entry("up", "worker", "Run only the worker."),
    "import": Entry("imports", "app", "Import lists of companies or people."),
    "export": Entry("exports", "app", "Export accounts or contacts to a file."),
    "contacts": Entry("contacts", "app", "Find contacts through a provider; erase people."),
    "suppressions": Entry("contacts", "suppressions", "Manage the suppression list."),
    "crm": Entry("crm", "app", "Connect a CRM, choose what is synced, and sync it."),
    "enrich": Entry("enrich", "enrich", "Enrich companies and wait for them."),
    "verify": Entry("verify", "verify", "Check that stored profiles are proven."),
    "accounts": Entry("reads", "accounts", "List, show and delete accounts."),
    "company": Entry("reads", "company", "Show the record of a company."),
    "profile": Entry("profiles", "app", "Show profiles, or have a language model write them."),
    "signals": Entry("reads", "signals", "List events at your accounts."),
    "jobs": Entry("reads", "jobs", "List the open postings of a company."),
    "lists": Entry("reads", "lists", "List your lists of accounts, or show one."),
    "territories": Entry("reads", "territories", "List territories, or show one."),
    "watches": Entry("reads", "watches", "List watches, or show one."),
    "alerts": Entry("reads", "alerts", "List alerts, or show one."),
    "operations": Entry("reads", "operations", "List enrichments and deletions, or show one."),
    "companies": Entry("companies", "app", "Merge companies, and undo merges."),
    "sources": Entry("sources", "app", "Show data sources; turn them on and off."),
    "brief": Entry("brief", "brief", "Print a one-page brief for a call."),
    "ask": Entry("ask", "ask", "Ask a question about a company."),
    "model": Entry("models", "app", "Test the language model."),
    "search": Entry("search", "search", "Search the evidence of all accounts."),
    "mcp": Entry("mcp", "mcp", "Serve tools to an agent over stdio (MCP)."),
    "match": Entry("match", "match", "Match two lists of companies."),
    "inspect": Entry("inspect", "app", "Show what a parser finds in a file."),
    "org": Entry("organizations", "organizations", "Create and list organizations."),
    "user": Entry("organizations", "users", "Create users."),
    "keys": Entry("keys", "app", "Create, list, revoke and rotate API keys."),
    "credits": Entry("credits", "app", "Grant credits and show balances."),
    "sample": Entry("sample", "app", "Remove the sample companies."),
    "migrate": Entry("maintenance", "migrate", "Migrate the database to this release."),
    "doctor": Entry("maintenance", "doctor", "Check machine, settings and database."),
    "backup": Entry("maintenance", "backup", "Back up the database to a file."),
    "restore": Entry("maintenance", "restore", "Restore the database from a backup."),
}


class LazyGroup(TyperGroup):
    """Imports the module of a command when the command is asked for, so that `up` starts fast."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, imported; None for an unknown name."""
        del ctx
        if cmd_name not in COMMANDS:
            for name in COMMANDS:  # known to the search for the nearest name
                self._load(name)
            return None
        return self._load(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help from the table alone, with nothing imported."""
        listed = {
            name: TyperCommand(name=name, callback=None, help=entry.summary)
            for name, entry in COMMANDS.items()
        }
        TyperGroup(
            name=self.name,
            commands=dict(listed),
            help=self.help,
            epilog=self.epilog,
            params=self.params,
            rich_markup_mode=self.rich_markup_mode,
        ).format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The names from the table alone, with nothing imported."""
        from typer._click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=entry.summary)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found or super().shell_complete(ctx, incomplete)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run; a wrong command line ends in one line on standard error, as other errors do."""
        options = (prog_name, complete_var, False, windows_expand_args)
        if not standalone_mode:
            return super().main(args, *options, **extra)
        try:
            with one_line_errors():
                code = super().main(args, *options, **extra)
        except typer.Exit as exit:
            code = exit.exit_code
        except typer.Abort:
            print("Interrupted.", file=sys.stderr)
            code = INTERRUPTED
        except Exception as error:
            code = _tell(error)
        sys.exit(code if isinstance(code, int) else 0)

    def _load(self, name: str) -> Any:
        if name not in self.commands:
            entry = COMMANDS[name]
            found = getattr(import_module(f"sightline.cli.{entry.module}"), entry.attribute)
            if isinstance(found, typer.Typer):
                found.rich_markup_mode = None
                command: Any = get_group(found)
            else:
                single = typer.Typer(add_completion=False, rich_markup_mode=None)
                single.command(name)(found)
                command = get_command(single)
            command.name = name
            command.help = command.help or entry.summary
            for each in (command, *getattr(command, "commands", {}).values()):
                _name_values(each)
            self.commands[name] = command
        return self.commands[name]


def _name_values(command: Any) -> None:
    """Call values TEXT, PATH or N in a command's help, and arguments FILE, not by what Python calls them."""
    for parameter in command.params:
        shown = parameter.display_type(ctx=None).strip("<>")
        if parameter.param_type_name == "option":
            word = shown if "|" in shown else _VALUES.get(shown, "TEXT")
            parameter.display_type_rich = partial(_word, word)
        else:
            parameter.metavar = parameter.metavar or parameter.name.upper()
            parameter.display_type_rich = partial(_word, "")
            if parameter.required:
                parameter._usage_display_name = partial(_word, parameter.metavar)


def _word(word: str, ctx: Any = None) -> str:
    del ctx
    return word


_VALUES: Final = {
    "path": "PATH", "int": "N", "int range": "N", "float": "N", "float range": "N", "datetime": "TIME",
}  # fmt: skip


def _tell(error: Exception) -> int:
    """Print an error that the parser of the command line raised; returns its exit code."""
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # its text is the help itself
        print(error, file=sys.stderr)
    else:
        message = _message(error)
        hint = f" See: {context.command_path} --help" if context is not None else ""
        print(f"Error: {message}{hint}", file=sys.stderr)
    return int(getattr(error, "exit_code", FAILURE))


def _message(error: Exception) -> str:
    """One line; of a value that cannot be read, our own words and not those of the validator."""
    faults, parameter = getattr(error.__cause__, "errors", None), getattr(error, "param", None)
    if callable(faults) and parameter is not None:
        is_option = parameter.param_type_name == "option"
        name = parameter.opts[0] if is_option else parameter.metavar
        return f"Invalid value for {name}: {in_words(faults()[0])}."
    return " ".join(str(getattr(error, "format_message", error.__str__)()).split())


app = typer.Typer(
    cls=LazyGroup,
    name="sightline",
    help="Self-hosted account intelligence.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"sightline {version('sightline')}")
        raise typer.Exit


@app.callback()
def sightline(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """Self-hosted account intelligence."""
    del show_version  # its callback has dealt with it
