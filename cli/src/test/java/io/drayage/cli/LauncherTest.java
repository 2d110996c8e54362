package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the commands of the launcher. Its java and its mvn only print their arguments. */
final class LauncherTest {
  private static final Path LAUNCHER = Path.of("..", "drayage");
  private static final String DRAYAGE = "./dist/jars/drayage.jar";
  private static final String WITH_DUCKDB = DRAYAGE + ":./dist/jars/duckdb.jar";

  /** Accepts the collectors in COLLECTORS, may make an archive, and prints its arguments. */
  private static final String JAVA =
      """
      #!/bin/bash
      if [[ $2 == -version ]]; then
        [[ " $COLLECTORS " == *" $1 "* ]]
        exit
      fi
      echo "locale=$LC_ALL"
      printf '%s\\n' "${@//$PWD/.}"
      while (($# > 1)); do
        if [[ $1 == archive ]]; then
          echo "made for this tree" >"$2"
        fi
        shift
      done
      """;

  @TempDir private Path folder;

  @BeforeEach
  void install() throws IOException {
    Path jdk = Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    script(jdk.resolve("java"), JAVA);
    script(jdk.resolve("javac"), "#!/bin/bash\n");
    Path jars = Files.createDirectories(folder.resolve("dist/jars/lib")).getParent();
    for (String jar : List.of("drayage.jar", "duckdb.jar", "lib/some.jar")) {
      Files.createFile(jars.resolve(jar));
    }
    Files.copy(LAUNCHER, folder.resolve("dist/drayage"));
    Files.writeString(folder.resolve("follow.conf"), "size = 1GB\nchanges = ARROW\n");
    Files.writeString(folder.resolve("peer.conf"), "system = arrow-flight\n");
    Files.writeString(folder.resolve("words"), "snapshot\nsql --store fs:x\n");
    Files.writeString(folder.resolve("opts"), "-XX:+UseZGC\n");
    Files.writeString(folder.resolve("flags"), "+UseZGC\n");
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Runs a line of the shell. */
  private ProcessResult shell(Map<String, String> variables, String line) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", line).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("DRAYAGE_") || name.startsWith("LC_"));
    environment.remove("JDK_JAVA_OPTIONS");
    environment.put("DRAYAGE_JAVA_HOME", folder.resolve("jdk").toString());
    environment.put("DRAYAGE_ARCHIVE", "none");
    environment.putAll(variables);
    return ProcessResult.of(builder, 30);
  }

  private List<String> started(Map<String, String> variables, String arguments) throws Exception {
    return shell(variables, "dist/drayage " + arguments).succeeded().lines().toList();
  }

  private void assertJar(String jars, Map<String, String> variables, String arguments)
      throws Exception {
    assertThat(started(variables, arguments)).as(arguments).contains(jars);
  }

  @Test
  void takesTheClassPathThatArgumentsEnvironmentAndFileAskFor() throws Exception {
    assertJar(DRAYAGE, Map.of(), "");
    assertJar(DRAYAGE, Map.of(), "worker follow --changes jsonl");
    assertJar(WITH_DUCKDB, Map.of(), "worker follow --changes arrow");
    assertJar(WITH_DUCKDB, Map.of(), "worker follow --changes=Arrow");
    assertJar(WITH_DUCKDB, Map.of("DRAYAGE_WORKER_FOLLOW_CHANGES", "arrow"), "worker follow");
    assertJar(WITH_DUCKDB, Map.of(), "--config follow.conf worker follow");
    assertJar(WITH_DUCKDB, Map.of(), "worker --config=follow.conf follow");
    assertJar(WITH_DUCKDB, Map.of(), "worker follow --config follow.conf");
    assertJar(WITH_DUCKDB, Map.of(), "--config follow.conf snapshot sql 'SELECT 1'");
    assertJar(WITH_DUCKDB, Map.of(), "@words");
    assertThat(started(Map.of(), "--config peer.conf throughput")).contains("-XX:MaxNewSize=256m");
  }

  /** Makes a tree with the launcher, whose Maven notes its arguments and makes jars of modules. */
  private Path checkout(String... modules) throws IOException {
    Path root = Files.createDirectories(folder.resolve("checkout"));
    Files.copy(LAUNCHER, root.resolve("drayage"));
    for (String module : modules) {
      Files.createDirectories(root.resolve(module));
    }
    Files.createDirectories(folder.resolve("bin"));
    mvn(
        """
        echo "$*" >>"$0.told"
        modules=$(sed 's/.*-pl \\([^ ]*\\) .*/\\1/' <<<"$*")
        for module in ${modules//,/ }; do
          mkdir -p "$module/target/launcher"
          echo jar >"$module/target/launcher/${module##*/}.jar"
        done
        [[ ,$modules, != *,cli,* ]] || mv cli/target/launcher/cli.jar cli/target/launcher/drayage.jar
        """);
    return root;
  }

  private void mvn(String script) throws IOException {
    script(folder.resolve("bin/mvn"), "#!/bin/bash\n" + script);
  }

  @Test
  void buildsWhatArgumentsEnvironmentAndFileAskForByOneRunOfMaven() throws Exception {
    Path root =
        checkout(
            "bench/peers/arrow-flight",
            "bench/child",
            "baseline",
            "columnar",
            "connectors/arrow",
            "cli",
            "parallel-codec");
    Files.createFile(root.resolve("bench/peers/pom.xml"));
    List<Map.Entry<Map<String, String>, String>> cases = new ArrayList<>();
    cases.add(Map.entry(Map.of(), "throughput --system netty:raw+none,arrow-flight"));
    cases.add(Map.entry(Map.of("DRAYAGE_THROUGHPUT_SYSTEM", "arrow-flight"), "throughput"));
    cases.add(Map.entry(Map.of("DRAYAGE_THROUGHPUT_PRESET", "Links"), "throughput"));
    cases.add(Map.entry(Map.of(), "--config ../peer.conf throughput"));
    for (Map.Entry<Map<String, String>, String> each : cases) {
      ProcessResult ran =
          shell(
              each.getKey(),
              "PATH=$PWD/bin:$PATH; cd checkout; rm -rf ../bin/mvn.told target */target bench/peers/*/target; ./drayage "
                  + each.getValue());
      assertThat(ran.lines()).as("%s", each).contains("throughput");
      assertThat(Files.readAllLines(folder.resolve("bin/mvn.told")))
          .singleElement()
          .asString()
          .contains("-Ddrayage.launcher ", " -pl cli,bench/peers/arrow-flight");
    }
  }

  /** The build has fewer checks than mvn verify, which would use its result. */
  @Test
  void buildsIntoAFolderOfItsOwn() throws Exception {
    Path root = checkout("cli");
    Path classes = Files.createDirectories(root.resolve("cli/target/classes"));
    Files.writeString(root.resolve("cli/target/drayage.jar"), "of mvn verify");

    assertThat(shell(Map.of(), "PATH=$PWD/bin:$PATH; checkout/drayage doctor").lines())
        .contains("building drayage (first run) ...")
        .contains("./checkout/cli/target/launcher/drayage.jar", "doctor");

    assertThat(classes).isEmptyDirectory();
    assertThat(root.resolve("cli/target/drayage.jar")).hasContent("of mvn verify");
  }

  /** Maven does not rebuild a jar that is newer than its classes. */
  @Test
  void whatAnInterruptedBuildWroteIsDeletedBeforeTheNextOne() throws Exception {
    Path root = checkout("cli/target/launcher", "columns/target/launcher/classes");
    String build = "PATH=$PWD/bin:$PATH; checkout/drayage doctor";
    Files.createFile(root.resolve("columns/target/launcher/classes/Old.class"));

    mvn(
        """
        echo half | tee columns/target/launcher/columns.jar >cli/target/launcher/drayage.jar
        # Clocks of files are coarse, and no build is as fast as this.
        touch -d 'now + 1 second' columns/target/launcher/columns.jar cli/target/launcher/drayage.jar
        exit 1
        """);
    assertThat(shell(Map.of(), build).lines())
        .contains("building drayage (first run) ...")
        .doesNotContain("doctor");
    mvn(
        """
        find columns/target cli/target -type f >found
        echo jar >cli/target/launcher/drayage.jar
        """);
    assertThat(shell(Map.of(), build).lines())
        .contains("building drayage (the last build did not finish) ...", "doctor");
    assertThat(root.resolve("found")).hasContent("columns/target/launcher/classes/Old.class");
    assertThat(shell(Map.of(), build).lines())
        .contains("doctor")
        .noneMatch(line -> line.startsWith("building"));

    Files.write(root.resolve("cli/target/launcher/drayage.jar"), new byte[0]);
    assertThat(shell(Map.of(), build).lines())
        .contains("building drayage (first run) ...", "doctor");
  }

  @Test
  void optionsOfTheUserWin() throws Exception {
    assertThat(started(Map.of("DRAYAGE_JAVA_OPTS", "-Da=b\n-Dc\t-Dd  -De\n"), "doctor"))
        .contains("-Da=b", "-Dc", "-Dd", "-De", "-XX:+UseParallelGC");
    for (String name : List.of("DRAYAGE_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      assertThat(started(Map.of(name, "-Xmx1g\n-XX:+UseG1GC"), "doctor"))
          .doesNotContain("-XX:+UseParallelGC");
    }
    assertThat(started(Map.of("DRAYAGE_JAVA_OPTS", "@opts"), "doctor"))
        .contains("@opts")
        .doesNotContain("-XX:+UseParallelGC");
    assertThat(started(Map.of("JAVA_TOOL_OPTIONS", "-XX:Flags=flags"), "doctor"))
        .doesNotContain("-XX:+UseParallelGC");
    assertThat(started(Map.of("JAVA_TOOL_OPTIONS", "-XX:-UseGCOverheadLimit"), "doctor"))
        .contains("-XX:+UseParallelGC");
    assertThat(started(Map.of("JAVA_TOOL_OPTIONS", "-Xmn1g"), "throughput"))
        .noneMatch(option -> option.contains("NewSize"));
  }

  @Test
  void saysWhichJdkAComparisonRunsWithUnlessTheUserNamesIt() throws Exception {
    Path jdk = folder.resolve("jdk");
    Path path = Files.createDirectories(folder.resolve("path"));
    script(path.resolve("java"), "#!/bin/bash\necho '    java.home = %s' >&2\n".formatted(jdk));
    String onPath = "unset DRAYAGE_JAVA_HOME JAVA_HOME; PATH=$PWD/path:$PATH dist/drayage ";
    String named = "unset DRAYAGE_JAVA_HOME; JAVA_HOME=$PWD/jdk dist/drayage ";
    String line = "with JDK 17 in %s, the first found (DRAYAGE_JAVA_HOME names another)";

    assertThat(shell(Map.of(), onPath + "throughput").lines())
        .contains(line.formatted(jdk), DRAYAGE);
    for (String silent : List.of(onPath + "doctor", named + "throughput")) {
      assertThat(shell(Map.of(), silent).lines())
          .contains(DRAYAGE)
          .noneMatch(printed -> printed.contains("the first found"));
    }
    assertThat(started(Map.of(), "throughput"))
        .noneMatch(printed -> printed.contains("the first found"));
  }

  @Test
  void theLocaleChangesNothing() throws Exception {
    for (String locale : List.of("C", "POSIX", "de_DE.ISO-8859-1", "")) {
      assertThat(shell(Map.of("LC_ALL", locale), "dist/drayage doctor 2>/dev/null").lines())
          .contains("locale=C.UTF-8");
    }
    List<String> options =
        started(Map.of("DRAYAGE_JAVA_OPTS", "-Dfile.encoding=ISO-8859-1"), "doctor");
    assertThat(options.lastIndexOf("-Dfile.encoding=UTF-8"))
        .isGreaterThan(options.indexOf("-Dfile.encoding=ISO-8859-1"));
  }

  @Test
  void aClosedStreamIsNotReused() throws Exception {
    script(
        folder.resolve("jdk/bin/java"),
        """
        #!/bin/bash
        told=$(for fd in 0 1 2; do readlink /proc/$$/fd/$fd; done)
        echo "$told" >"$TOLD"
        echo x
        """);
    Map<String, String> told = Map.of("TOLD", folder.resolve("told").toString());

    assertThat(shell(told, "dist/drayage doctor <&- >&- 2>&-; echo $?").lines())
        .containsExactly("1");
    assertThat(folder.resolve("told")).hasContent("/dev/null\n".repeat(3));
  }

  /** Returns the arguments with which a node, or another command, is started. */
  private String node(String collectors, String options, String line) throws Exception {
    Map<String, String> variables =
        Map.of("COLLECTORS", collectors, "DRAYAGE_JAVA_OPTS", options, "DRAYAGE_ARCHIVE", "");
    return shell(variables, line).succeeded();
  }

  @ParameterizedTest
  @Tag("ci")
  @CsvSource({
    "transactor, -XX:+UseShenandoahGC, '', Shenandoah",
    "worker follow, -XX:+UseShenandoahGC, '', Shenandoah",
    "worker commit, -XX:+UseShenandoahGC, -Xmx1g, Shenandoah",
    "transactor, '', '', G1",
    "transactor, -XX:+UseShenandoahGC, -XX:+UseZGC, Z",
    "throughput, -XX:+UseShenandoahGC, '', Parallel",
    "snapshot list, -XX:+UseShenandoahGC, '', Parallel"
  })
  void aNodeHasTheCollectorThatPausesLeast(
      String command, String collectors, String options, String expected) throws Exception {
    String started = node(collectors, options, "dist/drayage " + command);
    assertThat(started.lines().filter(line -> line.matches("-XX:\\+Use.*GC")).distinct())
        .containsExactly("-XX:+Use" + expected + "GC");
  }

  @Test
  @Tag("ci")
  void looksIntoTheJvmRatherThanStartingIt() throws Exception {
    Path server = Files.createDirectories(folder.resolve("jdk/lib/server"));
    Path library = Files.writeString(server.resolve("libjvm.so"), "UseShenandoahGC\0UseG1GC\0");
    assertThat(node("-XX:+UseShenandoahGC", "", "dist/drayage transactor"))
        .contains("-XX:+UseG1GC");
    Files.writeString(library, "\0ShenandoahGCHeuristics\0UseG1GC\0");
    assertThat(node("", "", "dist/drayage transactor")).contains("-XX:+UseShenandoahGC");
  }

  @Test
  @Tag("ci")
  void aComparisonMakesAndUsesNoArchive() throws Exception {
    assertThat(node("", "", "dist/drayage throughput")).doesNotContain("preparing an archive");
    assertThat(node("", "", "dist/drayage transactor")).contains("preparing an archive");
    assertThat(node("", "", "dist/drayage throughput")).doesNotContain(".options");
  }

  @Test
  @Tag("ci")
  void aCopiedTreeMakesAnArchiveOfItsOwnOnce() throws Exception {
    String first = "dist/drayage transactor --data=d";
    assertThat(node("", "", first)).contains("preparing an archive");
    assertThat(node("", "", "cp -a dist copy; " + first)).doesNotContain("preparing an archive");
    String copied = "copy/drayage transactor --data=d";
    assertThat(node("", "", copied)).contains("preparing an archive");
    assertThat(node("", "", copied))
        .doesNotContain("preparing an archive")
        .contains("@./copy/jars/archive");
    // The archive of the other tree is deleted.
    try (Stream<Path> files = Files.list(folder.resolve("copy/jars/archive"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".options"))).hasSize(1);
    }
  }
}
