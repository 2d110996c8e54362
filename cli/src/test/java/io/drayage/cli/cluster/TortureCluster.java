package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.LinkSpeed;
import io.drayage.bench.link.Link;
import io.drayage.bench.link.LinkException;
import io.drayage.bench.link.LinkedHost;
import io.drayage.bench.rig.Child;
import io.drayage.cli.Drayage;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.isolation.ListSession;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.objectstore.S3Server;
import io.drayage.testing.Waiting;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.LoopbackTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * ZooKeeper, optionally S3, transactors and workers, all in separate processes, each kind on its
 * own hosts. {@link #supervise} restarts processes that end by themselves. Not thread-safe.
 */
final class TortureCluster implements AutoCloseable {
  static final int SESSION_MS = 4_000;
  static final int TRANSACTORS = 3;
  static final int WORKERS = 3;

  /** Sessions of each worker, which commit at the same time. */
  static final int SESSIONS = Math.max(1, Integer.getInteger("torture.callers", 12) / WORKERS);

  private static final int ZOOKEEPER_PORT = 2_181;
  private static final int S3_PORT = 9_000;
  private static final Path FAKE_TIME =
      Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");
  private static final Pattern PRIMARY = Pattern.compile("is primary from .*epoch (\\d+)");

  /** Starts a process, the next time. */
  private interface Start {
    ChildNode start(int time) throws IOException;
  }

  /** A process that should run. */
  static final class Member {
    final String name;
    final LinkedHost host;
    private final Start start;
    private @Nullable ChildNode child;
    private boolean down;
    private int starts;

    Member(String name, LinkedHost host, Start start) {
      this.name = name;
      this.host = host;
      this.start = start;
    }

    void up() throws IOException {
      down = false;
      if (child == null || !child.isAlive()) {
        child = start.start(++starts);
      }
    }

    /** Kills it, and keeps it down until {@link #up}. */
    void kill() throws InterruptedException {
      down = true;
      if (child != null) {
        child.kill();
      }
    }

    void signal(String signal) throws IOException, InterruptedException {
      if (child != null && child.isAlive()) {
        child.signal(signal);
      }
    }

    ChildNode child() {
      if (child == null) {
        throw new IllegalStateException(name + " was never started");
      }
      return child;
    }
  }

  final Path folder;
  final @Nullable TortureDisk disk;
  final List<Member> transactors = new ArrayList<>();
  final List<Member> workers = new ArrayList<>();

  /** The exit code and the last line of output for each time that it ended by itself. */
  final List<String> ends = new ArrayList<>();

  final Member zookeeper;
  final @Nullable Member s3;
  private final Link link;
  private final long seed;
  private final int ballast;
  private final String store;
  private int sessions;
  private String heap;

  /**
   * @param s3 whether the store is S3; otherwise a folder on its own disk
   * @param heap of a transactor
   * @param ballast bytes that each transaction adds to the database
   */
  TortureCluster(Path folder, boolean s3, String heap, int ballast, long seed) throws Exception {
    this.folder = folder;
    this.heap = heap;
    this.ballast = ballast;
    this.seed = seed;
    TortureDisk.requirePossible();
    this.link = openLink();
    this.disk = s3 ? null : new TortureDisk(folder);
    LinkedHost hostOfS3 = link.worker(TRANSACTORS + 2);
    Path objects = folder.resolve("s3");
    if (disk == null) {
      S3Server server = S3Server.start(objects);
      makeDatabase(storeOfS3(server.endpoint().toString()));
      server.stop();
      String address = hostOfS3.address() + ":" + S3_PORT;
      this.store = storeOfS3("http://" + address) + "&attempt-timeout=5";
      this.s3 =
          new Member(
              "s3",
              hostOfS3,
              time -> java("s3", time, hostOfS3, "256m", S3Process.class, objects, address));
    } else {
      this.store = "fs:" + disk.root().resolve("store");
      makeDatabase(store);
      this.s3 = null;
    }
    LinkedHost hostOfZooKeeper = link.transactor();
    Path data = folder.resolve("zookeeper");
    this.zookeeper =
        new Member(
            "zookeeper",
            hostOfZooKeeper,
            time -> DebianZooKeeper.start(data, hostOfZooKeeper, ZOOKEEPER_PORT));
    for (int i = 1; i <= TRANSACTORS; i++) {
      transactors.add(transactor("t" + i, link.worker(i)));
    }
    for (int i = 1; i <= WORKERS; i++) {
      String name = "w" + i;
      LinkedHost host = link.worker(TRANSACTORS + 1);
      workers.add(new Member(name, host, time -> worker(name, time, host)));
    }
    for (Member member : members()) {
      if (!workers.contains(member)) {
        member.up();
      }
    }
    // A worker ends if its ZooKeeper has no cluster.
    Waiting.await(() -> PRIMARY.matcher(primary().child().output()).find());
    for (Member worker : workers) {
      worker.up();
    }
  }

  private static Link openLink() throws IOException, InterruptedException {
    try {
      return Link.open(LinkSpeed.parse("1gbit"), TRANSACTORS + 2, false);
    } catch (LinkException e) {
      throw new TestAbortedException("skipped: " + e.getMessage(), e);
    }
  }

  private static String storeOfS3(String endpoint) {
    return "s3:%s/db?endpoint=%s".formatted(S3Server.BUCKET, endpoint);
  }

  static boolean canStepClocks() {
    return Files.exists(FAKE_TIME);
  }

  /** Makes the database by a transactor of this JVM. */
  private static void makeDatabase(String store) throws IOException {
    TransactorOptions options =
        TransactorOptions.builder("maker", InetSocketAddress.createUnresolved("127.0.0.1", 0))
            .tables(ListSession.tables())
            .codecThreads(1)
            .historyBytes(1 << 20)
            .storeTimeout(Duration.ofMinutes(1))
            .build();
    try (ObjectStore objects = ObjectStores.open(store);
        InMemoryCoordination coordination = new InMemoryCoordination(new InMemoryCluster());
        TransactorNode node =
            TransactorNode.start(
                options,
                coordination,
                objects,
                new LoopbackTransport(),
                commit -> {},
                new DrayageMetrics())) {
      System.out.println("torture: made " + node.snapshot());
    }
  }

  private Member transactor(String name, LinkedHost host) throws IOException {
    stepClock(name, 0);
    return new Member(
        name,
        host,
        time ->
            java(
                name,
                time,
                host,
                heap,
                Drayage.class,
                "transactor",
                "--name=" + name,
                "--listen=" + host.address() + ":0",
                "--insecure",
                "--warm-up=0",
                "--data=" + folder.resolve(name),
                "--store=" + store,
                "--zookeeper=" + servers(),
                "--session-timeout-ms=" + SESSION_MS,
                "--full-every=100"));
  }

  private ChildNode worker(String name, int time, LinkedHost host) throws IOException {
    int session = sessions + 1;
    sessions += SESSIONS;
    return java(
        name,
        time,
        host,
        "512m",
        TortureWorker.class,
        servers(),
        store,
        folder,
        session,
        SESSIONS,
        seed,
        ballast);
  }

  private String servers() {
    return link.transactor().address() + ":" + ZOOKEEPER_PORT;
  }

  private ChildNode java(
      String name, int time, LinkedHost host, String size, Class<?> main, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (canStepClocks() && main == Drayage.class) {
      command.addAll(
          List.of(
              "env",
              "LD_PRELOAD=" + FAKE_TIME,
              "FAKETIME_TIMESTAMP_FILE=" + clock(name),
              "FAKETIME_NO_CACHE=1",
              "FAKETIME_DONT_FAKE_MONOTONIC=1",
              "FAKETIME_FORCE_MONOTONIC_FIX=0"));
    }
    command.addAll(
        Child.command(
            main,
            List.of(
                "-Xmx" + size,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError")));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path log = folder.resolve(format("%s-%03d.log", name, time));
    return ChildNode.start(name, log, host.command(command));
  }

  /** Sets the heap of the transactors, from the next start on. */
  void setHeap(String size) {
    heap = size;
  }

  private Path clock(String name) {
    return folder.resolve("clock-" + name);
  }

  /** Moves the wall clock of a transactor. */
  void stepClock(String name, int seconds) throws IOException {
    Files.writeString(clock(name), format("%+d%n", seconds));
  }

  /** Whether workers also coordinate transactions of several parts. */
  boolean isTogether() {
    return ballast == 0;
  }

  private List<Member> members() {
    List<Member> all = new ArrayList<>(List.of(zookeeper));
    if (s3 != null) {
      all.add(s3);
    }
    all.addAll(transactors);
    all.addAll(workers);
    return all;
  }

  /** Restarts all processes that have ended by themselves. */
  void supervise() throws IOException, InterruptedException {
    for (Member member : members()) {
      if (!member.down && !member.child().isAlive()) {
        ends.add(format("%s: %d, %s", member.name, member.child().awaitEnd(), lastWords(member)));
        member.up();
      }
    }
  }

  /** Returns the last line of its output; for an exception, the message. */
  private static String lastWords(Member member) throws IOException {
    return member
        .child()
        .output()
        .lines()
        .filter(line -> !line.startsWith("\t"))
        .reduce("", (earlier, line) -> line);
  }

  /** Returns the transactor that has the highest epoch; the first if there is none yet. */
  Member primary() throws IOException {
    Member found = transactors.get(0);
    long highest = 0;
    for (Member each : transactors) {
      Matcher terms = PRIMARY.matcher(each.child().output());
      while (terms.find()) {
        if (Long.parseLong(terms.group(1)) > highest) {
          highest = Long.parseLong(terms.group(1));
          found = each;
        }
      }
    }
    return found;
  }

  /** Sets whether packets from a host to another are dropped; neither host gets an error. */
  void cut(LinkedHost from, LinkedHost to, boolean cut) throws IOException, InterruptedException {
    String route = to.address() + "/32";
    List<String> command =
        cut
            ? List.of("ip", "route", "replace", "blackhole", route)
            : List.of("ip", "route", "flush", "exact", route);
    TortureDisk.run(from.command(command).toArray(String[]::new));
  }

  /** Returns all hosts except one. */
  List<LinkedHost> others(LinkedHost host) {
    List<LinkedHost> others = new ArrayList<>(List.of(link.transactor()));
    for (int i = 1; i <= TRANSACTORS + 2; i++) {
      others.add(link.worker(i));
    }
    others.remove(host);
    return others;
  }

  /** Returns the existing histories. */
  List<Path> histories() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jsonl")).sorted().toList();
    }
  }

  /** Opens the store from its folder in this process, after the S3 server has ended. */
  ObjectStore openStore() throws Exception {
    return ObjectStores.open(
        s3 == null ? store : storeOfS3(S3Server.start(folder.resolve("s3")).endpoint().toString()));
  }

  @Override
  public void close() throws IOException {
    for (Member member : members()) {
      if (member.child != null) {
        member.child.close();
      }
    }
    // Ends all processes on its hosts.
    link.close();
    if (disk != null) {
      disk.close();
    }
  }
}
