package io.drayage.spark;

import static io.drayage.spark.SparkDriver.Work.INDETERMINATE;
import static io.drayage.spark.SparkDriver.Work.JOB;
import static io.drayage.spark.SparkDriver.Work.NUMBERED;
import static io.drayage.spark.SparkDriver.Work.SHUFFLED;
import static io.drayage.spark.SparkDriver.Work.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.AppVersion;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.spark.SparkDriver.Work;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A job's rows are in exactly one commit, and a stream's rows in one for each epoch, after any
 * failure during the job or the second epoch.
 */
@Tag("nightly")
@Timeout(400)
class FaultsTest {
  private static final String IN_PROCESS = "local[2]";
  private static final String TWO_HOSTS = "two hosts";

  private interface Step {
    void run(FaultsTest test) throws Exception;
  }

  /** A failure, its time, the written rows and their writer. */
  private record Fault(String name, String master, List<Work> works, Step step) {
    boolean endsTheDriver() {
      return name.startsWith("the driver") || name.startsWith("a task of a stream");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<Fault> FAULTS =
      List.of(
          new Fault(
              "a task throws",
              ClusterSpark.TWO_EXECUTORS,
              List.of(JOB),
              run -> {
                run.light("throw");
                run.light("go");
              }),
          new Fault(
              "a task of a stream throws",
              IN_PROCESS,
              List.of(STREAM),
              run -> {
                run.light("throw");
                run.light("go");
                run.requireNothingNew();
                Files.delete(Path.of(run.database.beacons(), "throw"));
              }),
          new Fault(
              "an executor dies while it ships",
              ClusterSpark.TWO_EXECUTORS,
              List.of(JOB),
              run -> {
                // The data of an unprepared fragment is being stored, or was just stored.
                Beacon.await("data is stored", run.database::hasUnpreparedData);
                Beacon.signal(run.await("begun"), "KILL");
                run.light("go");
              }),
          new Fault(
              "an executor dies when its fragment is prepared",
              ClusterSpark.TWO_EXECUTORS,
              List.of(JOB),
              run -> {
                Beacon.signal(run.awaitPrepared(1), "KILL");
                run.light("go");
              }),
          new Fault(
              "an executor dies when it has reported",
              ClusterSpark.TWO_EXECUTORS,
              List.of(JOB),
              run -> {
                long waiting = run.await("at-0");
                long unused = run.await("reported-" + (SparkDriver.PARTITIONS - 1));
                long other = run.await("last");
                assertThat(other).isNotEqualTo(waiting);
                Beacon.signal(other, "KILL");
                run.light("go");
              }),
          new Fault(
              "two attempts prepare",
              TWO_HOSTS,
              List.of(JOB),
              run -> {
                assertThat(run.awaitPrepared(2)).isNotEqualTo(run.await("at-1"));
                run.light("go");
              }),
          new Fault(
              "the stage before is lost",
              ClusterSpark.TWO_EXECUTORS,
              List.of(SHUFFLED),
              run -> {
                run.light("go");
                Beacon.signal(run.await("reduced"), "KILL");
              }),
          new Fault(
              "the stage before is lost and makes other rows",
              ClusterSpark.TWO_EXECUTORS,
              List.of(INDETERMINATE),
              run -> {
                run.light("go");
                long waiting = run.await("reduced");
                long unused = run.await("reported-1");
                Beacon.signal(waiting, "KILL");
              }),
          new Fault(
              "the driver dies before its commit",
              IN_PROCESS,
              List.of(NUMBERED, STREAM),
              run -> {
                Beacon.signal(run.awaitPrepared(1), "KILL");
                run.requireNothingNew();
                run.light("go");
              }),
          new Fault(
              "the driver dies before it learns of its commit",
              IN_PROCESS,
              List.of(NUMBERED, STREAM),
              run -> {
                long unused = run.awaitLogged();
                int unusedToo = run.driver.destroyForcibly().waitFor();
                run.light(Hold.RELEASED);
              }),
          new Fault(
              "the driver stops for longer than its lease",
              IN_PROCESS,
              List.of(NUMBERED, STREAM),
              run -> {
                long driver = run.awaitPrepared(1);
                Beacon.signal(driver, "STOP");
                Beacon.await("its lease is over", () -> run.database.files("open").isEmpty());
                run.light("go");
                Beacon.signal(driver, "CONT");
                run.requireNothingNew();
                assertThat(Files.readString(run.folder.resolve("SparkDriver.log")))
                    .containsPattern("transaction \\S+ has ended without effect");
              }),
          new Fault(
              "the primary dies when fragments are prepared",
              IN_PROCESS,
              List.of(JOB, STREAM),
              run -> {
                long unused = run.awaitPrepared(1);
                Beacon.signal(run.database.process(run.database.primary()).pid(), "KILL");
                run.light("go");
              }),
          new Fault(
              "the primary dies when the commit is logged",
              IN_PROCESS,
              List.of(JOB, STREAM),
              run -> Beacon.signal(run.awaitLogged(), "KILL")));

  private static Stream<Arguments> faults() {
    return FAULTS.stream()
        .flatMap(fault -> fault.works.stream().map(work -> Arguments.of(fault, work)));
  }

  @TempDir Path folder;

  private TestDatabase database;
  private Work work;
  private Process driver;
  private long before;

  @ParameterizedTest
  @MethodSource("faults")
  void theRowsAreThereOnce(Fault fault, Work what) throws Exception {
    work = what;
    try (TestDatabase processes = TestDatabase.ofProcesses(folder)) {
      database = processes;
      database.makeTable(SparkDriver.TABLE);
      before = database.newest();
      Numbers numbers = new Numbers(SparkDriver.numbers(database.beacons()));
      for (int rows : SparkDriver.EPOCHS) {
        numbers.add(rows);
      }
      String master = fault.master.equals(TWO_HOSTS) ? twoHosts() : fault.master;
      driver = database.drive(work, master);

      fault.step.run(this);

      boolean succeeded = driver.waitFor() == 0;
      if (work == Work.INDETERMINATE && !succeeded) {
        requireNothingNew();
        Beacon.await("its end", () -> database.files("open").isEmpty());
      } else if (fault.endsTheDriver()) {
        assertThat(succeeded).isFalse();
        driver = database.drive(work, master);
        assertThat(driver.waitFor()).isZero();
        requireRows();
      } else {
        assertThat(succeeded).isTrue();
        requireRows();
      }
      Beacon.await("the fragments are gone", () -> database.files("fragments").isEmpty());
    }
  }

  private void requireRows() throws IOException {
    assertThat(database.rows(SparkDriver.TABLE, "id", "proof"))
        .isEqualTo(
            TestDatabase.sorted(
                LongStream.range(0, SparkDriver.ROWS)
                    .mapToObj(id -> List.<Object>of(id, id * 31))
                    .toList()));
    List<SnapshotManifest> entries = database.committedSince(before);
    assertThat(entries).hasSize(work == Work.STREAM ? SparkDriver.EPOCHS.length : 1);
    for (int epoch = 0; work == Work.STREAM && epoch < entries.size(); epoch++) {
      AppVersion app = Objects.requireNonNull(entries.get(epoch).transaction()).app();
      assertThat(Objects.requireNonNull(app).version()).isEqualTo(epoch);
    }
  }

  /** Waits for the end of the failed driver, which may have committed only the first epoch. */
  private void requireNothingNew() throws Exception {
    int exit = driver.waitFor();
    assertThat(exit).isNotZero();
    assertThat(database.rows(SparkDriver.TABLE, "id"))
        .hasSize(work == Work.STREAM ? SparkDriver.EPOCHS[0] : 0);
    assertThat(database.committedSince(before)).hasSize(work == Work.STREAM ? 1 : 0);
  }

  private void light(String beacon) {
    Beacon.light(database.beacons(), beacon);
  }

  /** Returns the process that has reached the step. */
  private long await(String beacon) {
    return Beacon.await(database.beacons(), beacon);
  }

  /** Returns the process that waits with {@code fragments} prepared. */
  private long awaitPrepared(int fragments) {
    long waiting = await("at-0");
    Beacon.await("fragments", () -> database.files("fragments").size() >= fragments);
    return waiting;
  }

  /** Returns the primary that has stored the entry, but has not notified anybody. */
  private long awaitLogged() {
    long unused = await("at-0");
    light(Hold.ARMED);
    light("go");
    return await(Hold.HELD);
  }

  /**
   * Starts a Spark cluster that sees two hosts with a core each: the second attempt of a slow task
   * goes to another host than the first.
   */
  private String twoHosts() throws IOException {
    String port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = Integer.toString(socket.getLocalPort());
    }
    String master = "spark://127.0.0.1:" + port;
    database.start(Master.class, "--host", "127.0.0.1", "--port", port, "--webui-port", "0");
    for (String host : List.of("127.0.0.1", "127.0.0.2")) {
      String options = "--cores 1 --memory 1g --webui-port 0 --host " + host + " --work-dir ";
      String work = folder.resolve("work").toString();
      database.start(Worker.class, (options + work + " " + master).split(" "));
    }
    return master;
  }
}
