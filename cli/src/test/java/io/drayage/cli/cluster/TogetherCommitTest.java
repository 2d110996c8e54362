package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.CommandFixture;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.send.CargoSender;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests transactions of several processes, as a user types and sees them. */
@Tag("ci")
@Timeout(180)
final class TogetherCommitTest extends CommandFixture {
  private static final String SIZE = "--size=1MB";

  @AutoClose private ChildNode transactor;
  private String servers;
  private String store;

  @BeforeEach
  void start() throws Exception {
    store = "--store=fs:" + folder.resolve("store");
    transactor = ChildNode.primary(folder);
    servers = transactor.zookeeper();
  }

  private int cluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--zookeeper=" + servers, store));
    return run(all.toArray(String[]::new));
  }

  private List<String> shown(String... arguments) {
    out.getBuffer().setLength(0);
    exits(0, arguments);
    return out.toString().lines().toList();
  }

  @Test
  void commitsACargoAsOneTransactionAndTellsOfTransactions() throws Exception {
    commitsAsOneTransaction();
    namesTheWorkerThatFails();
    showsWhatIsOpen();
  }

  private void commitsAsOneTransaction() throws Exception {
    Path json = folder.resolve("commit.json");
    assertThat(cluster("worker", "commit", SIZE, "--workers=2", "--fragments=4", "--json=" + json))
        .as("%s", err)
        .isZero();
    JsonNode committed = json(json).path("transactions").path(0);
    List<String> fragments = new ArrayList<>();
    for (JsonNode worker : committed.path("workers")) {
      assertThat(worker.path("wireBytes").asLong()).isPositive();
      assertThat(worker.path("fragments")).isNotEmpty();
      worker.path("fragments").forEach(each -> fragments.add(each.asText()));
    }
    assertThat(committed.path("workers")).hasSize(2);
    assertThat(out.toString())
        .matches(
            format(
                "snapshot 2: [0-9,]+ bytes in %d fragments of 2 workers in [0-9.]+ s: begin"
                    + " [0-9.]+, send [0-9.]+, commit [0-9.]+, load [0-9.]+\\R",
                fragments.size()));

    assertThat(shown("snapshot", "show", "2", store))
        .contains("transaction  " + committed.path("transaction").asText())
        .filteredOn(line -> line.startsWith("fragment"))
        .containsExactlyElementsOf(fragments.stream().map(id -> "fragment     " + id).toList());
    assertThat(cluster("worker", "commit", SIZE, "--fragments=1", "--on-conflict=overwrite"))
        .as("%s", err)
        .isZero();
    assertThat(shown("snapshot", "verify", "--replay", store)).contains("ok: 4 snapshots");
  }

  private void namesTheWorkerThatFails() throws Exception {
    assertThat(cluster("worker", "commit", SIZE, "--workers=2", "--system=netty:java+none@1"))
        .isOne();
    assertThat(err.toString())
        .containsPattern("worker [12] of 2: drayage: ")
        .containsPattern(
            "\n"
                + "drayage: worker [12] of 2, process \\d+, ended with exit code 1: .*java.*;"
                + " transaction [-0-9a-f]{36} is aborted, nothing of it takes effect");
  }

  private void showsWhatIsOpen() throws Exception {
    String[] status = {"worker", "status", "--zookeeper=" + servers, store};
    while (!shown(status).contains("open      no transaction of several workers")) {
      TimeUnit.MILLISECONDS.sleep(5); // Ended transactions are deleted soon.
    }
    assertThat(shown("worker", "status", "--zookeeper=" + servers))
        .noneMatch(line -> line.startsWith("open"));
    Function<InetSocketAddress, CargoSender> connect =
        address ->
            Systems.sender(
                Systems.notation().parse("netty:raw+none@1"),
                SystemOptions.DEFAULT,
                address,
                "anna",
                new DrayageMetrics());
    try (Coordination cluster = ZooKeeperLogin.open(servers, RealCluster.SESSION_MS);
        DistributedTransaction open =
            DistributedTransaction.begin(
                new DistributedTransaction.Options("anna"), cluster, connect);
        FragmentSender sender =
            new FragmentSender(open.handle(), cluster, connect, Duration.ofMinutes(1))) {
      ChangeCargo cargo = CargoSources.parse("thesis", 1_000_000, 1).onDemand();
      List<UUID> fragments = new ArrayList<>(sender.send(cargo));
      fragments.addAll(sender.send(cargo));
      Path json = folder.resolve("status.json");
      String line =
          format(
              "open      transaction %s of anna on snapshot %d, [0-9.]+ s old, %d fragments,"
                  + " [0-9,]+ bytes, lease 60.0 s",
              open.handle().transaction(), open.base(), fragments.size());
      assertThat(shown("worker", "status", "--zookeeper=" + servers, store, "--json=" + json))
          .anyMatch(each -> each.matches(line));
      JsonNode written = json(json);
      assertThat(written.path("schema").asInt()).isOne();
      assertThat(written.path("primary").path("accepts").asBoolean()).isTrue();
      JsonNode shown = written.path("transactions").path(0);
      assertThat(shown.path("transaction").asText())
          .isEqualTo(open.handle().transaction().toString());
      assertThat(shown.path("fragments").asInt()).isEqualTo(fragments.size());
      assertThat(shown.path("bytes").asLong()).isPositive().isLessThan(2 * sender.wireBytes());
      assertThat(shown.path("leaseMs").asLong()).isEqualTo(60_000);
      namesADamagedRecordBesideTheOthers(open.handle().transaction());
    }
  }

  /** The store has no primary that repairs it. */
  private void namesADamagedRecordBesideTheOthers(UUID open) throws Exception {
    Path records = Files.createDirectories(folder.resolve("hurt").resolve("open"));
    Files.copy(folder.resolve("store/open/" + open), records.resolve(open.toString()));
    Path snapshots = Files.createDirectories(folder.resolve("hurt").resolve("snapshots"));
    try (DirectoryStream<Path> manifests =
        Files.newDirectoryStream(folder.resolve("store/snapshots"))) {
      for (Path manifest : manifests) {
        Files.copy(manifest, snapshots.resolve(manifest.getFileName()));
      }
    }
    Path hurt = Files.write(records.resolve(new UUID(8, 8).toString()), new byte[] {1, 2, 3});
    Path json = folder.resolve("hurt.json");
    out.getBuffer().setLength(0);

    int exitCode =
        run(
            "worker",
            "status",
            "--zookeeper=" + servers,
            "--store=fs:" + folder.resolve("hurt"),
            "--json=" + json);

    assertThat(exitCode).as("%s", err).isOne();
    assertThat(out.toString())
        .contains("open      transaction " + open)
        .containsPattern("WRONG     .*open/" + hurt.getFileName() + ".*corrupt");
    assertThat(json(json).path("transactions")).hasSize(1);
    assertThat(json(json).path("damaged").path(0).asText()).contains("open/" + hurt.getFileName());
  }
}
