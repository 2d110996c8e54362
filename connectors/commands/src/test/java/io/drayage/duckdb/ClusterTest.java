package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.rig.Child;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TypesTable;
import io.drayage.cli.Drayage;
import io.drayage.codec.CargoFile;
import io.drayage.duckdb.CommandsTest.Ran;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commits imported tables in a cluster, whose transactor is a separate process. */
@Timeout(180)
final class ClusterTest {
  @TempDir private Path folder;

  @Test
  void changesWhatWasImportedAndAsksForItBetweenCommits() throws Exception {
    Path monday = csv("monday", "a,anvil,1\nb,bolt,2\n");
    Path tuesday = csv("tuesday", "a,awl,1\nc,clamp,3\n");
    Path other = csv("other", "a,axe,1\nb,bolt,2\n");
    String first = cargo("first", "--table=stock=" + monday);
    String second = changes("second", monday, tuesday, 2);
    String late = changes("late", monday, other, 2);
    String early = changes("early", monday, other, 9);
    String elsewhere = cargo("elsewhere", "--table=prices=" + monday);
    Path prices = folder.resolve("prices.csv");
    String adding =
        cargo(
            "adding",
            "--create",
            "--table=" + Files.writeString(prices, "sku,day\na,2026-01-05\nb,2026-02-01\n"));
    String otherwise =
        cargo("otherwise", "--create", "--table=" + Files.writeString(prices, "sku,day\n1,\n"));
    Process transactor = transactor(first);
    try {
      String zookeeper = "--zookeeper=" + awaited(transactor, "zookeeper ");
      String store = "--store=fs:" + folder.resolve("data/store");
      assertCommitted(2, commit(zookeeper, store, first));

      InputStream before = System.in;
      PipedOutputStream statements = new PipedOutputStream();
      System.setIn(new PipedInputStream(statements));
      try {
        StringWriter out = new StringWriter();
        CompletableFuture<Integer> sql =
            CompletableFuture.supplyAsync(
                () ->
                    Drayage.commandLine()
                        .setOut(new PrintWriter(out))
                        .execute("worker", "sql", "--name=asks", "--format=csv", zookeeper, store));
        ask(statements, sql, out, "a,anvil,1\nb,bolt,2\n");
        assertCommitted(3, commit(zookeeper, store, second));
        ask(statements, sql, out, "a,awl,1\nc,clamp,3\n");
        statements.close();
        assertThat(sql.get()).isZero();
      } finally {
        System.setIn(before);
      }

      assertRefused(
          commit(zookeeper, store, late),
          "CONFLICT: table 'stock', column 'name': 1 row (0) to be updated were updated by others since snapshot 2");
      assertRefused(
          commit(zookeeper, store, early),
          "REJECTED: base snapshot 9 does not exist yet: the current snapshot is 3");
      assertRefused(
          commit(zookeeper, store, elsewhere),
          "table 'prices' does not exist in snapshot 3, which has [stock]: a cargo adds it if it was made by cargo import --create");
      assertCommitted(4, commit(zookeeper, store, late, "--on-conflict=overwrite"));
      assertCommitted(5, commit(zookeeper, store, adding));
      assertCommitted(6, commit(zookeeper, store, adding));
      assertRefused(
          commit(zookeeper, store, otherwise),
          "REJECTED: table 'prices' cannot be added: it exists with other columns: column 1 is 'sku' STRING, not 'sku' LONG");
      assertThat(
              CommandsTest.run(
                      "snapshot", "sql", store, "--format=csv", "SELECT * FROM prices ORDER BY ALL")
                  .out())
          .containsExactly(
              "sku,day", "a,2026-01-05", "a,2026-01-05", "b,2026-02-01", "b,2026-02-01");
      assertThat(
              CommandsTest.run(
                      "snapshot", "sql", store, "--format=csv", "SELECT * FROM drayage_columns")
                  .out())
          .as("said once")
          .containsExactly("table,column,type", "prices,day,DATE");
      assertThat(CommandsTest.run("snapshot", "show", store, "5").out())
          .contains("adds table   prices, 2 columns", "adds table   drayage_columns, 3 columns");
      assertRefused(
          commit(zookeeper, store, forgettingTypes().toString()),
          "REJECTED: table 'drayage_columns' says what columns are: its rows cannot be updated or deleted");
    } finally {
      transactor.destroyForcibly().waitFor();
    }
  }

  /** Makes a cargo that deletes the kept type of a column. */
  private Path forgettingTypes() throws Exception {
    Path file = folder.resolve("forgetting.cargo");
    CargoFile.write(
        ChangeCargo.builder(new UUID(7, 7), 6)
            .table(TypesTable.NAME, types -> types.delete(RowBits.allSet(1)))
            .build(),
        file);
    return file;
  }

  private static void assertCommitted(int snapshot, Ran ran) {
    assertThat(ran.code()).as("%s", ran).isZero();
    assertThat(ran.out()).singleElement().asString().startsWith("snapshot " + snapshot + ": ");
  }

  private static void assertRefused(Ran ran, String message) {
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).singleElement().asString().contains(message);
  }

  /** Asks until the worker has loaded the answer. */
  private static void ask(
      PipedOutputStream statements,
      CompletableFuture<Integer> sql,
      StringWriter out,
      String expected)
      throws Exception {
    int from = out.getBuffer().length();
    while (!out.toString()
        .replace(System.lineSeparator(), "\n")
        .substring(from)
        .contains(expected)) {
      assertThat(sql).as("%s", out).isNotDone();
      statements.write("SELECT * FROM stock ORDER BY ALL\n".getBytes(StandardCharsets.UTF_8));
      statements.flush();
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static Ran commit(String zookeeper, String store, String cargo, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("worker", "commit", "--warm-up=0", "--cargo=" + cargo, zookeeper, store));
    all.addAll(List.of(more));
    return CommandsTest.run(all.toArray(String[]::new));
  }

  private Path csv(String name, String rows) throws Exception {
    return Files.writeString(folder.resolve(name + ".csv"), "sku,name,stock\n" + rows);
  }

  private String changes(String name, Path old, Path now, int base) {
    return cargo(
        name, "--table=stock=" + now, "--old=stock=" + old, "--updates=sku", "--base=" + base);
  }

  private String cargo(String name, String... options) {
    String file = folder.resolve(name + ".cargo").toString();
    List<String> all = new ArrayList<>(List.of("cargo", "import", file));
    all.addAll(List.of(options));
    Ran ran = CommandsTest.run(all.toArray(String[]::new));
    assertThat(ran.code()).as("%s", ran).isZero();
    return file;
  }

  private Process transactor(String tables) throws Exception {
    List<String> command =
        new ArrayList<>(
            Child.command(
                Drayage.class, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")));
    command.addAll(
        List.of(
            "transactor",
            "--listen=127.0.0.1:0",
            "--data=" + folder.resolve("data"),
            "--zookeeper-port=0",
            "--warm-up=0",
            "--tables=" + tables));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log().toFile())
        .start();
  }

  private Path log() {
    return folder.resolve("transactor.log");
  }

  /** Returns the rest of the line after a text, when the transactor is primary and listens. */
  private String awaited(Process transactor, String text) throws Exception {
    String output = Files.readString(log());
    while (!output.contains("is primary from") || !output.contains("listens at")) {
      assertThat(transactor.isAlive()).as(output).isTrue();
      TimeUnit.MILLISECONDS.sleep(5);
      output = Files.readString(log());
    }
    return output.substring(output.indexOf(text) + text.length()).lines().findFirst().orElseThrow();
  }
}
