package io.drayage.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Without the engine, which has a class path of its own. */
@Timeout(180)
final class CargoImportCommandTest {
  @TempDir private Path folder;

  @Test
  void saysInALineThatThereIsNoEngine() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    Path cargo = folder.resolve("t.cargo");
    CommandRun run = CommandRun.of("cargo", "import", "--table=" + file, cargo.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .singleElement()
        .asString()
        .startsWith("drayage: DuckDB is not on the class path: ");
    assertThat(cargo).doesNotExist();
  }

  @Test
  void refusesWhatDoesNotGoTogether() throws Exception {
    String cargo = folder.resolve("t.cargo").toString();
    String file = Files.writeString(folder.resolve("t.csv"), "a\n1\n").toString();
    assertRefused("name a table: --table or --select", cargo);
    assertRefused("there is no such file", "--table=none.csv", cargo);
    assertRefused("--select must be NAME=SQL", "--select=SELECT 1", cargo);
    assertRefused("--updates and --old need each other", "--table=" + file, "--updates=a", cargo);
    assertRefused(
        "--old x: there is no --table of that name",
        "--table=" + file,
        "--old=x=" + file,
        "--updates=a",
        cargo);
  }

  private static void assertRefused(String message, String... options) {
    String[] arguments = new String[2 + options.length];
    arguments[0] = "cargo";
    arguments[1] = "import";
    System.arraycopy(options, 0, arguments, 2, options.length);
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).singleElement().asString().contains(message);
  }
}
