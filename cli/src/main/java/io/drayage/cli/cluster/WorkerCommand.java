package io.drayage.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drayage worker}. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description =
        "Runs a worker of a cluster: commits, follows the published snapshots, runs SQL over its"
            + " copy of the database, drops a table, or shows the nodes.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      WorkerCommitCommand.class,
      WorkerFollowCommand.class,
      WorkerSqlCommand.class,
      WorkerStatusCommand.class,
      WorkerTableCommand.class
    },
    footer = {
      "",
      "Examples, with the node of 'drayage transactor --data data':",
      "  drayage worker commit --zookeeper 127.0.0.1:2181 --store fs:data/store"
    })
public final class WorkerCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: name commit, follow, sql, status or table");
  }
}
