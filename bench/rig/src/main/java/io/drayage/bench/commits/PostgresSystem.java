package io.drayage.bench.commits;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.environment.Tools;
import io.drayage.internal.Begun;
import io.drayage.internal.TemporaryFolder;
import io.drayage.internal.Waits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of its own in a new folder, as Debian's packages install it, with its default
 * settings. pgbench, its own client, commits through a socket in that folder.
 */
final class PostgresSystem implements CommitSystem {
  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

  /** PostgreSQL refuses to run as root. */
  private static final String USER = "postgres";

  private static final int DEADLINE_S = 60;

  /** The place of the answer time, in microseconds, in a line of pgbench. */
  private static final int ANSWER_US = 2;

  /** The places after the name of a process: user and system time, then those of its children. */
  private static final int USER_OF_PROCESS = 11;

  private static final int SYSTEM_OF_CHILDREN = 14;
  private static final double TICKS_PER_S = 100;

  private final Path bin;
  private final TemporaryFolder folder;

  /** The server's own part of the folder. */
  private final Path own;

  private final Path log;
  private @Nullable Process server;

  private PostgresSystem(Path bin, TemporaryFolder folder, Path log) {
    this.bin = bin;
    this.folder = folder;
    this.own = folder.path().resolve("own");
    this.log = log;
  }

  /** Returns the folder of the newest installed server's programs; null if there is none. */
  static @Nullable Path installed() throws IOException {
    if (!Files.isDirectory(INSTALLED) || !Tools.isInstalled("setpriv")) {
      return null;
    }
    Path newest = null;
    int newestVersion = 0;
    try (DirectoryStream<Path> versions = Files.newDirectoryStream(INSTALLED, "[0-9]*")) {
      for (Path each : versions) {
        int version = Integer.parseInt(String.valueOf(each.getFileName()).replaceAll("\\D.*", ""));
        Path programs = each.resolve("bin");
        if (version > newestVersion
            && Files.isExecutable(programs.resolve("initdb"))
            && Files.isExecutable(programs.resolve("pgbench"))) {
          newest = programs;
          newestVersion = version;
        }
      }
    }
    return newest;
  }

  /**
   * @param bin the programs
   * @param disk the folder for a new folder
   * @param logs the folder of the logs
   */
  static PostgresSystem start(Path bin, Path disk, Path logs)
      throws IOException, InterruptedException {
    TemporaryFolder folder = TemporaryFolder.make(disk, "drayage-postgresql-", () -> {});
    PostgresSystem postgres = new PostgresSystem(bin, folder, logs.resolve("postgresql.log"));
    try (Begun begun = new Begun(postgres::close)) {
      Path own = Files.createDirectory(postgres.own);
      if (isRoot()) { // The folder above stays ours, so that a later run may delete it.
        Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwx--x--x"));
        Files.setOwner(
            own, own.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
      }
      postgres.start();
      return begun.keep(postgres);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void start() throws IOException, InterruptedException {
    Path data = own.resolve("data");
    String unused =
        run(
            "initdb",
            "-D",
            data.toString(),
            "-A",
            "trust",
            "-U",
            USER,
            "-E",
            "UTF8",
            "--no-locale");
    server =
        builder("postgres", "-D", data.toString(), "-k", own.toString(), "-h", "")
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
    while (!Files.exists(own.resolve(".s.PGSQL.5432")) || !isReady()) {
      if (!server.isAlive() || System.nanoTime() - deadlineNs > 0) {
        throw new IOException("PostgreSQL does not start (log: %s)".formatted(log));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    unused = query("CREATE TABLE t (id bigint, value bigint)");
  }

  private boolean isReady() throws IOException, InterruptedException {
    Process ready = builder("pg_isready", "-h", own.toString(), "-q").start();
    return ready.waitFor() == 0;
  }

  /** Prepares a program that ends with this thread, even if this process is killed. */
  private ProcessBuilder builder(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "INT"));
    if (isRoot()) {
      command.addAll(List.of("--reuid", USER, "--regid", USER, "--init-groups"));
    }
    command.add(bin.resolve(program).toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(own.toFile()).redirectErrorStream(true);
  }

  private String run(String program, String... arguments) throws IOException, InterruptedException {
    Process process = builder(program, arguments).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    Files.writeString(log, said, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (code != 0) {
      throw new IOException(format("%s ended with exit code %d (log: %s)", program, code, log));
    }
    return said;
  }

  private String query(String sql) throws IOException, InterruptedException {
    return run("psql", "-h", own.toString(), "-U", USER, "-Atc", sql).strip();
  }

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public CommitTimings run(CommitLoad load) throws IOException, InterruptedException {
    Path script = own.resolve("insert.sql");
    Files.writeString(
        script,
        format(
            "INSERT INTO t SELECT (random() * 9e18)::bigint, i FROM generate_series(1, %d) i;%n",
            load.rows()));
    int threads = Math.min(load.callers(), Runtime.getRuntime().availableProcessors());
    List<String> arguments =
        new ArrayList<>(List.of("-h", own.toString(), "-U", USER, "-n", "-M", "prepared"));
    arguments.addAll(List.of("-f", script.toString(), "-l", "--log-prefix=answers"));
    arguments.addAll(List.of("-c", Integer.toString(load.callers())));
    arguments.addAll(List.of("-j", Integer.toString(threads)));
    arguments.addAll(List.of("-T", Integer.toString(load.seconds())));
    Integer perSecond = load.perSecond();
    if (perSecond != null) {
      arguments.addAll(List.of("-R", perSecond.toString()));
    }
    arguments.add(USER);
    String unused = run("pgbench", arguments.toArray(String[]::new));
    return CommitTimings.of(answersNs(), load.seconds());
  }

  /** Reads and deletes the answer times. */
  private long[] answersNs() throws IOException {
    LongStream.Builder all = LongStream.builder();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(own, "answers.*")) {
      for (Path file : files) {
        try (Stream<String> lines = Files.lines(file)) {
          lines.forEach(line -> all.add(Long.parseLong(line.split(" ", -1)[ANSWER_US]) * 1_000));
        }
        Files.delete(file);
      }
    }
    long[] answersNs = all.build().toArray();
    if (answersNs.length == 0) {
      throw new IOException("pgbench has not committed anything (log: %s)".formatted(log));
    }
    return answersNs;
  }

  @Override
  public ServerCost cost() throws IOException, InterruptedException {
    String bytes = query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    Process running = server;
    double cpuS = running == null ? 0 : ticks(running.pid(), SYSTEM_OF_CHILDREN) / TICKS_PER_S;
    if (running != null) {
      for (ProcessHandle each : running.descendants().toList()) {
        cpuS += ticks(each.pid(), USER_OF_PROCESS + 1) / TICKS_PER_S;
      }
    }
    return new ServerCost(cpuS, null, Long.parseLong(bytes));
  }

  /** Adds the times of a process from its user time to the given place; 0 if it has ended. */
  private static long ticks(long pid, int last) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int i = USER_OF_PROCESS; i <= last; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks;
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    Process running = server;
    if (running != null) {
      running.destroy();
      Waits.orInterrupted(
          () -> {
            if (!running.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
              running.destroyForcibly();
            }
          });
    }
    folder.close();
  }
}
