package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.rig.Child;
import io.drayage.bench.system.ThrowAwayCertificates;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cli.CommandFixture;
import io.drayage.cli.Drayage;
import io.drayage.codec.CargoFile;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.files.FileRights;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.store.Columns;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commands of a cluster, as a user types them. */
class ClusterCommandsTest extends CommandFixture {
  private static final Pattern METRIC = Pattern.compile("(drayage|jvm)_\\w+");

  /** More than the time that threads of a busy machine wait for a core. */
  private static final int STOPPED_MS = 400;

  /** Commits, without a warm-up. */
  private void commit(String... arguments) {
    String[] command = with(new String[] {"worker", "commit", "--warm-up=0"}, arguments);
    exits(0, command);
  }

  private void reportsTheCommitsBeforeOneThatFails(String zookeeper, String store)
      throws IOException {
    Path cargo = folder.resolve("once.cargo");
    ChangeCargo once =
        ChangeCargo.builder(UUID.randomUUID(), 0)
            .newTable(TableSchema.of("once", ColumnSchema.of("a", ColumnType.INT)))
            .mustBeNew("once")
            .build();
    long unused = CargoFile.write(once, cargo);
    Path json = folder.resolve("commits.json");
    String line =
        "worker commit %s %s --warm-up=0 --count=3 --cargo=~/once.cargo --json=~/commits.json";
    assertThat(runLine(line.formatted(zookeeper, store))).isOne();
    assertThat(err.toString()).contains("table 'once'");
    assertThat(json(json).path("commits")).hasSize(1);
  }

  @Test
  @Timeout(300)
  void aTransactorAWorkerAndTheirStatus() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    try (ChildNode transactor =
        ChildNode.primary(folder, "--admin=127.0.0.1:0", "--warm-up=0.5s")) {
      String zookeeper = "--zookeeper=" + transactor.zookeeper();
      exits(0, "worker", "commit", zookeeper, store, "--size=1MB", "--count=2");
      assertThat(out.toString())
          .containsPattern("(?m)^2 commits: median [0-9.]+ s, slowest [0-9.]+ s$");
      assertThat(watched(transactor, "/metrics"))
          .contains(
              "drayage_commit_step_seconds_count{step=\"log\"} 2", "drayage_node_primary 1.0");
      assertThat(watched(transactor, "/metrics"))
          .contains(metricsOf("grafana/drayage.json"))
          .contains(metricsOf("prometheus/alerts.yaml"));
      assertThat(watched(transactor, "/shipments")).startsWith("[ ]");
      String taken = watchedAt(transactor).getAuthority();
      exits(1, "worker", "follow", zookeeper, store, "--admin=" + taken);
      assertThat(err.toString().lines())
          .containsOnlyOnce(
              "drayage: --admin: cannot listen at %s: the port is in use: name another one, or stop the process that uses it"
                  .formatted(taken));
      exits(1, "worker", "commit", "--warm-up=0", zookeeper, store, "--size=30MB");
      assertThat(err.toString())
          .containsPattern(
              "drayage: --cargo thesis --size 30MB changes [0-9,]+ rows of table '\\w+', which has"
                  + " [0-9,]+ rows: give the --cargo and --size that the transactor was started"
                  + " with");
      commit(zookeeper, store, "--size=1MB", "--load=store");
      exits(0, "worker", "follow", zookeeper, store, "--until=4");
      reportsTheCommitsBeforeOneThatFails(zookeeper, store);
      exits(0, "worker", "table", "drop", "once", zookeeper, store);
      assertThat(out.toString()).contains(": table once is dropped");
      exits(2, "worker", "table", "drop", "once", zookeeper, store);
      assertThat(err.toString()).contains("table 'once' does not exist");
      exits(0, "worker", "status", zookeeper);
      String wrong = zookeeper + "/wrong";
      for (String[] command :
          new String[][] {
            {"worker", "status", wrong},
            {"transactor", "maintenance", wrong, "on", "--reason=it moves"},
            {"transactor", "step-down", wrong}
          }) {
        err.getBuffer().setLength(0);
        exits(1, command);
        assertThat(err.toString())
            .contains("drayage: ZooKeeper at 127.0.0.1:", "/wrong has no Drayage cluster: no tr");
      }
      exits(0, "transactor", "maintenance", zookeeper, "on", "--reason=it moves");
      exits(0, "worker", "status", zookeeper);
      while (!watched(transactor, "/metrics").contains("drayage_node_maintenance 1.0")) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertThat(watched(transactor, "/readyz")).contains("\"reason\" : \"it moves\"");
      exits(1, "worker", "commit", "--warm-up=0", zookeeper, store, "--size=1MB");
      exits(0, "transactor", "maintenance", zookeeper, "off");
      while (watched(transactor, "/metrics").contains("drayage_node_maintenance 1.0")) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      transactor.signal("STOP");
      TimeUnit.MILLISECONDS.sleep(STOPPED_MS);
      transactor.signal("CONT");
      while (longestPauseMs(transactor) < STOPPED_MS / 2) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertThat(watched(transactor, "/metrics")).contains("drayage_session_timeout_seconds 6.0");
      assertThat(transactor.terminate()).isEqualTo(143);

      assertThat(err.toString()).contains("REFUSED: in maintenance since 20", "Z: it moves");
      assertThat(out.toString())
          .contains("cluster   in maintenance since 20", "in service since 20")
          .contains("snapshot 2: ", "snapshot 3: ", "snapshot 4: ")
          .contains("snapshot  6, epoch 1", "primary   t1 at 127.0.0.1:");
      assertThat(transactor.output())
          .contains("snapshot 4: transaction", "is closed at snapshot 6");
    }
  }

  @Test
  void theStatusOfAStoreIsThatOfTheClustersDatabaseOrNone() throws Exception {
    CompletableFuture<Term> elected = new CompletableFuture<>();
    UUID database = UUID.randomUUID();
    String own = database("own", database);
    String foreign = database("foreign", UUID.randomUUID());
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        Coordination cluster =
            ZooKeeperCoordination.connect(ZooKeeperOptions.of(server.servers() + "/c"))) {
      NodeInfo node = new NodeInfo("t1", "127.0.0.1:1");
      Membership membership = cluster.join(node);
      Registration unused = cluster.stand(node, listener(elected));
      Term term = elected.get();
      String zookeeper = "--zookeeper=" + server.servers() + "/c";
      exits(0, "worker", "status", zookeeper);
      assertThat(out.toString().lines())
          .contains("primary   t1 at 127.0.0.1:1, elected, has not taken over yet");

      Membership follower = cluster.join(new NodeInfo("f1", NodeInfo.NO_ADDRESS));
      membership.report(
          new NodeProgress(0, term.epoch(), 267_900_000, 268_000_000, 12_340_000, own, null, null));
      follower.report(new NodeProgress(1, 0, 0, 0, 0, own, null, null));
      while (cluster.progress("f1").orElseThrow().loaded() == 0
          || cluster.progress("t1").orElseThrow().epoch() == 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      term.publish(new LogPosition(database, 1, 0));

      Path json = folder.resolve("status.json");
      exits(0, "worker", "status", zookeeper, "--store=" + own, "--json=" + json);
      assertThat(out.toString().lines())
          .contains(
              "primary   t1 at 127.0.0.1:1",
              "node      t1 at 127.0.0.1:1, database 267.9 of 268.0 MB, fragments in memory 12.3"
                  + " MB",
              "node      f1, has loaded snapshot 1",
              "store     " + own)
          .anyMatch(
              line ->
                  line.matches("full      snapshot 1, [0-9.]+ s old, 0 entries of the log since"));
      JsonNode status = json(json);
      assertThat(status.at("/full/snapshot").intValue()).isOne();
      assertThat(status.at("/full/entriesSince").intValue()).isZero();
      assertThat(status.at("/full/ageMs").isNumber()).isTrue();
      assertThat(status.at("/nodes/0/lag").intValue()).isZero();
      assertThat(status.at("/nodes/1/databaseBytes").longValue()).isEqualTo(267_900_000);
      assertThat(status.at("/nodes/1/maxDatabaseBytes").longValue()).isEqualTo(268_000_000);
      assertThat(status.at("/nodes/1/fragmentBytes").longValue()).isEqualTo(12_340_000);
      assertThat(status.at("/nodes/1/store").textValue()).isEqualTo(own);

      exits(1, "worker", "status", zookeeper, "--store=" + foreign);
      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .contains(foreign + " holds database ", " is of database " + database);
    }
  }

  /** Makes a store with only a full snapshot 1. */
  private String database(String name, UUID id) throws IOException {
    try (ObjectStore objects = ObjectStores.open("fs:" + folder.resolve(name))) {
      FullSnapshotWriter snapshots =
          new FullSnapshotWriter(
              new SnapshotCatalog(objects), Serializers.ofName("raw"), Compressors.ofName("none"));
      SnapshotEntry unused =
          snapshots.write(
              FullContents.toCargo(new MemoryStore().snapshot()),
              new LogPosition(id, 1, 0),
              null,
              1,
              KnownTransactions.NONE);
      return objects.name();
    }
  }

  private static CandidacyListener listener(CompletableFuture<Term> elected) {
    return new CandidacyListener() {
      @Override
      public void elected(Term term) {
        boolean unused = elected.complete(term);
      }

      @Override
      public void deposed(Term term) {}
    };
  }

  @Test
  @Timeout(180)
  @Tag("ci")
  void aDatabaseBeginsWithoutTablesIfThatIsAskedFor() throws Exception {
    try (ChildNode transactor = ChildNode.primary(folder, "--tables=none");
        ObjectStore store = ObjectStores.open("fs:" + folder.resolve("store"))) {
      assertThat(transactor.output()).contains("is primary from");
      try (SnapshotColumns newest =
          SnapshotColumns.open(store, 1, AllowedCodecs.DATA_ONLY, OptionalLong.empty())) {
        assertThat(newest.tables()).isEmpty();
      }
    }
  }

  @Test
  @Timeout(180)
  @Tag("ci")
  void aPrimaryStepsDownForWhomLogsIn() throws Exception {
    String login = "--zookeeper-login=" + secret("login", "drayage:secret\n");
    Path workers = secret("workers", "worker:secret\n");
    String reader = "--zookeeper-login=" + workers;
    String[] stepDown = {"transactor", "step-down"};
    try (ChildNode first = ChildNode.primary(folder, login, "--zookeeper-workers=" + workers)) {
      String zookeeper = "--zookeeper=" + first.zookeeper();
      String store = "--store=fs:" + folder.resolve("store");
      commit(zookeeper, reader, store, "--size=100kB");
      exits(0, "worker", "status", zookeeper, reader);
      exits(1, "transactor", "maintenance", zookeeper, reader, "on", "--reason=mine");
      exits(2, with(stepDown, zookeeper, login));
      exits(2, with(stepDown, zookeeper, login, "--to=t9"));
      exits(1, "worker", "status", zookeeper);
      assertThat(err.toString())
          .contains("there is no other transactor, only [t1]", "--to t9: there is no such")
          .contains("create /maintenance: NoAuth", "NoAuth: only the login");
      try (ChildNode second = standby("--warm-up=0", store, zookeeper, login)) {
        second.awaitLine("listens at");
        exits(0, with(stepDown, zookeeper, login));
        assertThat(second.output()).as("it takes cargoes by now").contains("is primary from");
        exits(0, with(stepDown, zookeeper, login, "--to=t1"));
        exits(0, with(stepDown, zookeeper, login, "--to=t1"));
      }
      assertThat(first.output() + out + err).doesNotContain("secret");
    }
    assertThat(out.toString()).contains("snapshot 2: ");
    assertThat(out.toString().lines())
        .containsSequence(
            "t1 hands over: t2 is elected, epoch 2",
            "t2 is primary",
            "t2 hands over: t1 is elected, epoch 3",
            "t1 is primary",
            "t1 is primary");
  }

  @Test
  @Timeout(180)
  @Tag("ci")
  void theAuditLogTellsWhoCommittedAndWhoWasRefused() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    Path log = folder.resolve("audit.jsonl");
    try (ChildNode transactor = ChildNode.primary(folder, "--audit-log=" + log)) {
      String zookeeper = "--zookeeper=" + transactor.zookeeper();
      commit(zookeeper, store, "--size=1MB", "--name=anna");
      assertThat(
              run("worker", "commit", zookeeper, store, "--size=1MB", "--system=netty:java+none@1"))
          .isEqualTo(1);
      assertThat(transactor.terminate()).isEqualTo(143);
    }
    for (String made : List.of("audit.jsonl", "zookeeper", "store/snapshots", "store/data")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(made))))
          .as(made)
          .endsWith("------");
    }
    assertThat(Files.readAllLines(log))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("{\"time\":\"20")
                    .contains("\"outcome\":\"committed\"", "\"worker\":\"anna\"", "\"snapshot\":2")
                    .containsPattern("\"table\":\"[a-z_]+\",\"inserted\":[1-9]"),
            line -> assertThat(line).contains("\"outcome\":\"refused\"", "\"fault\":"));
  }

  /** Each commit is in the file once, even if the process ended at any byte of it. */
  @Test
  @Timeout(180)
  @Tag("ci")
  void aFileOfChangesGoesOnWhereItEnds() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    Path file = folder.resolve("changes.jsonl");
    Path whole = folder.resolve("whole.jsonl");
    try (ChildNode transactor = ChildNode.primary(folder)) {
      String zookeeper = "--zookeeper=" + transactor.zookeeper();
      String[] follow = {
        "worker", "follow", zookeeper, store, "--changes=jsonl", "--before", "--out=" + file
      };
      exits(0, with(follow, "--from=1", "--until=1"));
      commit(zookeeper, store, "--size=100kB", "--count=2");
      exits(0, with(follow, "--until=2"));
      byte[] before = Files.readAllBytes(file);
      exits(0, with(follow, "--until=3"));
      byte[] after = Files.readAllBytes(file);
      for (int cut : new int[] {after.length - 1, before.length + 100_000, before.length + 1}) {
        Files.write(file, Arrays.copyOf(after, cut));
        exits(0, with(follow, "--until=3"));
        assertThat(file).hasBinaryContent(after);
      }
      exits(2, with(follow, "--from=1", "--until=3"));
      assertThat(err.toString()).contains("--from 1: ", "ends with snapshot 3");
      follow[follow.length - 1] = "--out=" + whole;
      exits(0, with(follow, "--from=1", "--until=3"));
      assertThat(whole).hasSameTextualContentAs(file);
      Files.writeString(whole, "mine\n");
      exits(1, follow);
      assertThat(err.toString()).contains("holds something else than changes");
      assertThat(whole).hasContent("mine\n");
    }
    assertThat(Files.readAllLines(file))
        .first(InstanceOfAssertFactories.STRING)
        .matches("\\{\"kind\":\"start\",\"snapshot\":1,\"database\":\"[0-9a-f-]{36}\"}");
    assertThat(Files.readAllLines(file))
        .filteredOn(line -> line.startsWith("{\"kind\":\"commit\""))
        .extracting(line -> line.replaceAll("\"transaction.*", ""))
        .containsExactly(
            "{\"kind\":\"commit\",\"snapshot\":2,", "{\"kind\":\"commit\",\"snapshot\":3,");
  }

  private Path secret(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    FileRights.PRIVATE.applyTo(file);
    return file;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "worker commit --zookeeper z --store fs:%3$s --zookeeper-login %1$s",
        "worker status --zookeeper z --zookeeper-login %1$s",
        "worker follow --zookeeper z --store fs:%3$s --tls-cert %2$s --tls-key %1$s",
        "transactor --data d --zookeeper-login %2$s --zookeeper-workers %1$s",
        "transactor --data d --tls-cert %2$s --tls-key %1$s",
        "transactor --data d --zookeeper-tls-ca %2$s --zookeeper-tls-identity %1$s",
        "transactor step-down --zookeeper z --zookeeper-login %1$s",
        "cargo import --jdbc jdbc:x --jdbc-password-file %1$s --select t=x y.cargo",
      })
  void refusesASecretThatOthersCanRead(String line) throws IOException {
    Path open = secret("open", "user:password");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    String arguments = line.formatted(open, secret("closed", "user:password"), folder);
    assertThat(said(2, arguments))
        .contains(open + ": others can read this secret, its mode is 0644")
        .contains("chmod 600 " + open)
        .hasLineCount(1);
    assertThat(Path.of("d")).doesNotExist();
  }

  @Test
  void refusesAnAdvertisedNameThatNoCertificateHas() throws IOException {
    String line = "transactor --data d --tls-cert %s --tls-key %s --advertise t_1";
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
      Path certificate = file(certificates, "worker.drayage.internal.pem");
      Path key = file(certificates, "worker.drayage.internal.key");
      assertThat(said(2, line.formatted(certificate, key)))
          .contains("--advertise t_1 cannot be the name in a certificate")
          .hasLineCount(1);
    }
    assertThat(Path.of("d")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "transactor --data d --tls-cert %s --tls-key %s",
        "worker commit --zookeeper z --store fs:x --tls-cert %s --tls-key %s",
        "worker follow --zookeeper z --store fs:x --tls-cert %s --tls-key %s",
      })
  void refusesTheKeyOfAnotherCertificate(String line) throws IOException {
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
      Path certificate = file(certificates, "worker.drayage.internal.pem");
      Path key = file(certificates, "transactor.drayage.internal.key");
      assertThat(said(2, line.formatted(certificate, key)))
          .contains(
              "%s is not the private key of the certificate in %s".formatted(key, certificate))
          .hasLineCount(1);
    }
    assertThat(Path.of("d")).doesNotExist();
  }

  private static String[] with(String[] arguments, String... more) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  @Tag("nightly")
  @Timeout(180)
  void aClusterOverTlsTakesTheWorkersItNames() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make();
        ChildNode transactor =
            ChildNode.primary(
                folder,
                "--tls-cert=" + file(certificates, "transactor.drayage.internal.pem"),
                "--tls-key=" + file(certificates, "transactor.drayage.internal.key"),
                "--tls-ca=" + file(certificates, "authority.pem"),
                "--tls-worker=worker.drayage.internal")) {
      String zookeeper = "--zookeeper=" + transactor.zookeeper();
      String line =
          "worker commit %s %s --size=1MB --tls-ca=%s"
              .formatted(zookeeper, store, file(certificates, "authority.pem"));
      String peer = " --tls-name=transactor.drayage.internal";
      String identity =
          " --tls-cert=%s --tls-key=%s"
              .formatted(
                  file(certificates, "worker.drayage.internal.pem"),
                  file(certificates, "worker.drayage.internal.key"));
      assertThat(runLine(line + peer + identity)).as("%s", err).isZero();
      assertThat(runLine(line + peer)).isOne();
      assertThat(runLine(line)).isOne();
      assertThat(err.toString()).contains("REFUSED");
      assertThat(out.toString()).contains("snapshot 2: ").doesNotContain("snapshot 3: ");
    }
  }

  /** The worker's copy of the database exceeds its heap; the transactor's does not. */
  @Test
  @Tag("nightly")
  @Timeout(120)
  void aWorkerThatRunsOutOfMemoryEnds() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    try (ChildNode transactor = ChildNode.primary(folder)) {
      String zookeeper = "--zookeeper=" + transactor.zookeeper();
      List<String> command =
          new ArrayList<>(Child.command(Drayage.class, List.of("-Xmx48m", "-XX:+UseSerialGC")));
      command.addAll(List.of("worker", "follow", zookeeper, store));
      try (ChildNode worker = ChildNode.start("w1", folder.resolve("w1.log"), command)) {
        worker.awaitLine("snapshot 1: ");
        commit(zookeeper, store, "--size=1MB", "--count=60");

        assertThat(worker.awaitEnd()).as("%s", worker.output()).isEqualTo(3);

        assertThat(worker.output().lines())
            .last(InstanceOfAssertFactories.STRING)
            .contains("OutOfMemoryError", "this node ends, with exit code 3");
      }
    }
  }

  /** The default limit protects the heap: no node runs out of memory, no commit is lost. */
  @Test
  @Tag("nightly")
  @Timeout(180)
  void aDatabaseThatOutgrowsTheHeapIsFull() throws Exception {
    String store = "--store=fs:" + folder.resolve("store");
    try (ChildNode transactor = ChildNode.primary(folder)) {
      String zookeeper = "--zookeeper=" + transactor.zookeeper();
      try (ChildNode standby = standby(store, zookeeper)) {
        standby.awaitLine("listens at");

        exits(1, "worker", "commit", zookeeper, store, "--size=1MB", "--count=5000");

        assertThat(err.toString())
            .contains("FULL: the database takes", "the limit is")
            .doesNotContain("OutOfMemoryError");
        assertThat(transactor.output()).contains("more than 80 % of its limit");
        exits(0, "worker", "status", zookeeper);
        assertThat(standby.terminate()).isEqualTo(143);
        assertThat(transactor.terminate()).isEqualTo(143);
        String last =
            out.toString()
                .lines()
                .filter(line -> line.contains(" bytes in "))
                .reduce((before, line) -> line)
                .orElseThrow();
        String snapshot = last.substring(0, last.indexOf(':'));
        assertThat(transactor.output()).contains("is closed at " + snapshot);
        assertThat(standby.output()).contains("is closed at " + snapshot);
      }
    }
  }

  private ChildNode standby(String... more) throws IOException {
    String line = "transactor --name=t2 --listen=127.0.0.1:0 --data=~/t2 ";
    return ChildNode.drayage("t2", folder, line + String.join(" ", more));
  }

  private static URI watchedAt(ChildNode transactor) throws Exception {
    transactor.awaitLine("watch it at");
    String output = transactor.output();
    return URI.create(
        output.substring(output.indexOf("watch it at ") + 12).lines().findFirst().get());
  }

  private static String watched(ChildNode transactor, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(watchedAt(transactor) + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static double longestPauseMs(ChildNode node) throws Exception {
    return watched(node, "/metrics")
        .lines()
        .filter(line -> line.startsWith("drayage_pause_seconds_max "))
        .mapToDouble(line -> 1_000 * Double.parseDouble(line.substring(line.indexOf(' '))))
        .max()
        .orElseThrow();
  }

  /** Returns the metrics that a file names. */
  private static String[] metricsOf(String file) throws IOException {
    String[] metrics =
        METRIC
            .matcher(Files.readString(Path.of("..", "cluster-scripts", file)))
            .results()
            .map(MatchResult::group)
            .toArray(String[]::new);
    assertThat(metrics).isNotEmpty();
    return metrics;
  }

  private static Path file(ThrowAwayCertificates certificates, String name) {
    return certificates.folder().resolve(name);
  }

  @Test
  void whatWasMadeOnASnapshotIsCommittedOnce() throws Exception {
    Path file = folder.resolve("changes.cargo");
    ChangeCargo based =
        ChangeCargo.builder(UUID.randomUUID(), 5)
            .table("t", t -> t.update("c", Columns.rows(1), ColumnValues.of(new int[][] {{2}})))
            .build();
    long unused = CargoFile.write(based, file);
    assertThat(
            said(2, "worker commit --zookeeper=z --store=fs:x --cargo=~/changes.cargo --count=2"))
        .contains("--count must be 1, not 2, for " + file + ", which was made on snapshot 5")
        .hasLineCount(1);
  }
}
