package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.store.Transaction;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage worker table}. */
@Command(
    name = "table",
    mixinStandardHelpOptions = true,
    description = "Drops a table of the database.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = WorkerTableCommand.Drop.class,
    footer = {
      "",
      "Examples, with a table of your own:",
      "  drayage worker table drop orders --zookeeper 127.0.0.1:2181 --store fs:data/store"
    })
final class WorkerTableCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing: name drop");
  }

  /** {@code drayage worker table drop}. */
  @Command(
      name = "drop",
      mixinStandardHelpOptions = true,
      description = {
        "Drops a table with its rows, in a commit.",
        "",
        "Snapshots before the commit still have the table, as long as the store holds them. If"
            + " others have changed the table since this command has read the database, nothing is"
            + " dropped: repeat the command.",
        ""
      },
      footer = {
        "",
        "Examples, with a table of your own:",
        "  drayage worker table drop orders --zookeeper 127.0.0.1:2181 --store fs:data/store"
      })
  static final class Drop implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the table.")
    private String table = "";

    @Mixin private WorkerOptionsGroup worker;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return worker.run(
          worker.named(),
          opened -> {
            Transaction edit = opened.begin();
            new OptionChecks(spec)
                .valid(
                    () -> {
                      edit.dropTable(table);
                      return edit;
                    });
            long snapshot = opened.commit(edit).timestamp();
            spec.commandLine()
                .getOut()
                .printf(Locale.ROOT, "snapshot %d: table %s is dropped%n", snapshot, table);
            return 0;
          });
    }
  }
}
