package io.drayage.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot}. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    description = "Lists, shows and verifies the snapshots in an object store.",
    subcommands = {
      SnapshotListCommand.class,
      SnapshotShowCommand.class,
      SnapshotVerifyCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: drayage snapshot list --store fs:data/store"})
public final class SnapshotCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: name one of list, show, verify");
  }
}
