package io.drayage.cli.data;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage cargo}: cargoes on disk. */
@Command(
    name = "cargo",
    mixinStandardHelpOptions = true,
    description = "Writes a cargo to a file, or shows what is in one.",
    subcommands = {CargoWriteCommand.class, CargoShowCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: drayage cargo write --cargo tpch:sf=0.1 orders.cargo"})
public final class CargoCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: name one of write, show");
  }
}
