package io.drayage.cli.data;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage cargo}: cargoes on disk. */
@Command(
    name = "cargo",
    mixinStandardHelpOptions = true,
    description = "Makes a cargo file of your tables or of generated ones, or shows its content.",
    subcommands = {CargoImportCommand.class, CargoWriteCommand.class, CargoShowCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples, with tables of yours:",
      "  drayage cargo import --table orders.parquet orders.cargo"
    })
public final class CargoCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: name one of import, write, show");
  }
}
