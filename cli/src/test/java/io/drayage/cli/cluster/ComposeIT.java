package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.LinkSpeed;
import io.drayage.bench.link.Link;
import io.drayage.bench.link.LinkException;
import io.drayage.bench.link.LinkedHost;
import io.drayage.bench.rig.Child;
import io.drayage.testing.ProcessResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.gaul.s3proxy.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * Runs the commands of {@code compose.yaml} unchanged, without Docker. Each service has its own
 * host: a network namespace and a mount namespace with the image's folders, the secrets and the
 * names of the others. A node also has the image's user and its limit of memory. The class path of
 * this test is the image of the S3 server, and runs ZooKeeper, whose command is not in the file.
 */
@Tag("nightly")
@Timeout(600)
final class ComposeIT {
  private static final long DEADLINE_S = 120;
  private static final int COMMITS = 20;

  /**
   * Makes a container of a host: the names of , image of , S3 server of , Java of , which is first
   * on the path, and the secrets that names of . Only this process and its children see the mounts.
   */
  private static final String CONTAINER =
      """
      set -e
      mount -t tmpfs none /mnt
      mkdir /mnt/drayage /mnt/java
      mount --bind "$5" /mnt/java
      mount --bind "$1" /etc/hosts
      mount -t tmpfs none /opt
      mkdir /opt/drayage /opt/s3proxy
      mount --bind "$3" /opt/drayage
      mount --bind "$4" /opt/s3proxy
      mount -t tmpfs none /run
      mkdir /run/secrets
      for secret in $6; do
        touch "/run/secrets/$secret"
        mount --bind "$2/$secret" "/run/secrets/$secret"
      done
      export PATH=/mnt/java/bin:$PATH
      shift 6
      exec "$@"
      """;

  /** Makes a container for a node: not root, without rights, with its own temporary folder. */
  private static final List<String> AS_NODE =
      List.of(
          "bash",
          "-c",
          "mount -t tmpfs -o mode=1777 none /tmp && cd / && exec setpriv --reuid=10001 --regid=10001"
              + " --clear-groups --no-new-privs --bounding-set=-all \"$@\"",
          "node");

  @TempDir private Path folder;
  private ComposeFile compose;
  private Link link;
  private final Map<String, LinkedHost> hosts = new HashMap<>();
  private final List<ChildNode> started = new ArrayList<>();

  @BeforeEach
  @Timeout(600)
  void makeHosts() throws Exception {
    compose = ComposeFile.read();
    try {
      link = Link.open(LinkSpeed.parse("10gbit"), compose.services().size(), false);
    } catch (LinkException e) {
      throw new TestAbortedException("skipped: " + e.getMessage(), e);
    }
    for (String service : compose.services()) {
      hosts.put(service, link.worker(hosts.size() + 1));
    }
    Files.writeString(
        folder.resolve("hosts"),
        hosts.entrySet().stream()
            .map(host -> "%s %s%n".formatted(host.getValue().address(), host.getKey()))
            .collect(Collectors.joining("", "127.0.0.1 localhost\n", "")));
    ComposeFile.makeSecrets(folder.resolve("secrets"));
    makeImages();
  }

  private void makeImages() throws Exception {
    Path drayage = Files.createDirectories(folder.resolve("drayage").resolve("lib"));
    Path target = Path.of("target");
    try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        Files.copy(jar, drayage.resolve(jar.getFileName()));
      }
    }
    Files.copy(target.resolve("drayage.jar"), drayage.resolveSibling("drayage.jar"));
    Files.writeString(folder.resolve("no-logs"), "handlers=\n");
    makeS3(Files.createDirectory(folder.resolve("s3proxy")).resolve("s3proxy"));
    ChildNode build = run("transactor-1", "build", compose.instruction("RUN"));
    build.awaitEnd();
    // Nodes start without this file if the machine is too busy to make it in time.
    assertThat(drayage.resolveSibling("nodes.options")).as(build.output()).exists();
  }

  /** Makes a jar that starts the S3 server from this test's class path. */
  private static void makeS3(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(":", -1))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close();
    }
  }

  @AfterEach
  void removeHosts() {
    started.forEach(ChildNode::close);
    if (link != null) {
      link.close();
    }
  }

  private ChildNode run(String service, String name, List<String> command) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                CONTAINER,
                "container",
                folder.resolve("hosts").toString(),
                folder.resolve("secrets").toString(),
                folder.resolve("drayage").toString(),
                folder.resolve("s3proxy").toString(),
                System.getProperty("java.home"),
                String.join(" ", compose.words(service, "secrets")),
                "env",
                "-u",
                "AWS_ACCESS_KEY_ID",
                "-u",
                "AWS_SECRET_ACCESS_KEY"));
    all.addAll(command);
    ChildNode child =
        ChildNode.start(
            name, folder.resolve(name + ".log"), hosts.get(service).command(List.copyOf(all)));
    started.add(child);
    return child;
  }

  private List<String> environment(String service) {
    List<String> variables = new ArrayList<>();
    if (service.equals("s3")) {
      // The process logs its output; the logger of this class path would print it again.
      variables.add(
          "JAVA_TOOL_OPTIONS=-Djava.util.logging.config.file=" + folder.resolve("no-logs"));
    }
    // The JVM would use the machine's memory as that of the container.
    String limit = compose.service(service).path("mem_limit").asText();
    compose
        .service(service)
        .path("environment")
        .properties()
        .forEach(variable -> variables.add(variable.getKey() + "=" + variable.getValue().asText()));
    if (!limit.isEmpty()) {
      variables.replaceAll(
          each -> each.replaceFirst("^JAVA_TOOL_OPTIONS=", "$0-XX:MaxRAM=" + limit + " "));
    }
    return variables;
  }

  /** Starts a service; {@code name} is that of its log. */
  private ChildNode start(String service, String name) throws IOException {
    List<String> all = new ArrayList<>(environment(service));
    if (compose.isNode(service)) {
      all.addAll(AS_NODE);
    }
    all.addAll(compose.command(service));
    return run(service, name, all);
  }

  /** Waits until the health check of a service succeeds. */
  private void awaitHealthy(String service, ChildNode child) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
    while (check(service) != 0) {
      assertThat(child.isAlive()).as("%s lives: %s", service, child.output()).isTrue();
      assertThat(System.nanoTime() - deadlineNs)
          .as("%s is not healthy: %s", service, child.output())
          .isNegative();
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private int check(String service) throws IOException, InterruptedException {
    List<String> command = hosts.get(service).command(compose.healthcheck(service));
    return ProcessResult.of(new ProcessBuilder(command), DEADLINE_S).code();
  }

  private void commit(String name) throws Exception {
    ChildNode committer = start("committer", name);
    assertThat(committer.awaitEnd()).as(committer.output()).isZero();
    assertThat(committer.output().lines())
        .filteredOn(line -> line.startsWith("snapshot "))
        .hasSize(COMMITS);
  }

  @Test
  void oneTransactorTakesOverFromTheOther() throws Exception {
    List<String> zookeeper =
        Child.command(
            ZooKeeperServerMain.class, List.of("-Xmx128m", "-Dzookeeper.admin.enableServer=false"));
    List<String> at = new ArrayList<>(zookeeper);
    at.addAll(List.of("2181", folder.resolve("zookeeper").toString()));
    run("zookeeper", "zookeeper", at).awaitLine("binding to port");
    awaitHealthy("s3", start("s3", "s3"));
    Map<String, ChildNode> transactors = new HashMap<>();
    for (String each : List.of("transactor-1", "transactor-2")) {
      transactors.put(each, start(each, each));
    }
    for (Map.Entry<String, ChildNode> each : transactors.entrySet()) {
      awaitHealthy(each.getKey(), each.getValue());
    }
    ChildNode follower = start("follower", "follower");
    commit("commits-1");

    ChildNode primary = primary(transactors);
    transactors.values().remove(primary);
    primary.kill();
    commit("commits-2");

    assertThat(primary(transactors).isAlive()).isTrue();
    follower.awaitLine(format("snapshot %d:", 1 + COMMITS + 1 + COMMITS));
    awaitHealthy("follower", follower);
  }

  private static ChildNode primary(Map<String, ChildNode> transactors) throws IOException {
    List<ChildNode> primaries = new ArrayList<>();
    for (ChildNode each : transactors.values()) {
      if (each.output().contains("is primary from")) {
        primaries.add(each);
      }
    }
    assertThat(primaries).hasSize(1);
    return primaries.get(0);
  }
}
