package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the libraries on the module path of a program, as docs/embedding.md describes. The jars are
 * those of the archive.
 */
@Timeout(180) // each of its processes may take a third
@Tag("ci")
final class ModulePathIT {
  private static final Path LIB = Path.of("target", "lib");

  /** The jars of drayage-transport-netty and columnar. */
  private static final Pattern TRANSPORT =
      Pattern.compile(
          "(drayage-(parallel-codec|columnar|transport-netty)|jctools-core.*|jspecify|lz4-java|zstd-jni|xz"
              + "|netty-(buffer|codec-base|codec-compression|common|handler|resolver|tcnative.*|transport.*))-\\d.*");

  /** The jars of drayage-node. */
  private static final Pattern NODE =
      Pattern.compile(
          "drayage-(node|store)-.*|jackson-(core|databind|annotations).*|micrometer-(co|ob).*");

  /** The two jars of ZooKeeper share packages, which is not allowed for modules. */
  private static final Pattern ON_THE_CLASS_PATH =
      Pattern.compile(
          "(audience-|commons-io|curator-|failureaccess|guava|metrics-core|slf4j-api|snappy|zookeeper).*");

  private static final List<String> ALL_MODULES = List.of("--add-modules", "ALL-MODULE-PATH");

  @TempDir private Path folder;
  private Path modules;
  private Path classPath;
  private Path classes;

  @BeforeEach
  void makeFolders() throws IOException {
    modules = Files.createDirectory(folder.resolve("modules"));
    classPath = Files.createDirectory(folder.resolve("class-path"));
    classes = Files.createDirectory(folder.resolve("classes"));
    copy(TRANSPORT, modules);
  }

  private static void copy(Pattern jars, Path to) throws IOException {
    try (Stream<Path> all = Files.list(LIB)) {
      for (Path jar : all.toList()) {
        String name = jar.getFileName().toString();
        // The command line adds this jar: see the pom of transport-netty.
        if (jars.matcher(name).matches() && !name.matches(".*io_uring.*aarch_64.*")) {
          Files.createLink(to.resolve(name), jar.toAbsolutePath());
        }
      }
    }
  }

  @Test
  void aProgramShipsOnEitherPath() throws Exception {
    compile(
        Path.of(
            "..", "examples", "src", "main", "java", "io", "drayage", "examples", "ShipCargo.java"),
        "io.drayage.codec",
        "io.drayage.transport.netty");

    assertThat(run(List.of(), false, "ShipCargo")).endsWith("snapshot 42");
    assertThat(run(ALL_MODULES, true, "ShipCargo")).endsWith("snapshot 42");
    assertThat(run(List.of(), true, "ShipCargo")).contains("needs --add-modules ALL-MODULE-PATH");
  }

  @Test
  @Tag("nightly")
  void aTransactorHasZooKeeperOnTheClassPath() throws Exception {
    copy(NODE, modules);
    copy(ON_THE_CLASS_PATH, classPath);
    compile(
        Path.of("..", "examples", "embed", "src", "main", "java", "Embed.java"),
        "io.drayage.codec",
        "io.drayage.transport.netty",
        "io.drayage.node",
        "io.drayage.store",
        "micrometer.core");

    assertThat(run(ALL_MODULES, true, "Embed", folder.resolve("database").toString()))
        .contains("snapshot 2: 1 row")
        .doesNotContain("SLF4J");
  }

  /** Compiles a program as a module. */
  private void compile(Path source, String... required) throws Exception {
    Path folderOfProgram = Files.createDirectories(folder.resolve("src").resolve("embedder"));
    String program = Files.readString(source).replaceFirst("package [^;]*;\n", "");
    Path file =
        Files.writeString(
            folderOfProgram.resolve(source.getFileName().toString()),
            "package embedder;\n" + program);
    String requires = String.join("; requires ", required);
    Path descriptor =
        Files.writeString(
            folder.resolve("src").resolve("module-info.java"),
            "module embedder { requires %s; }".formatted(requires));
    String printed =
        start(
            "javac",
            "-p",
            modules.toString(),
            "-cp",
            classPath + "/*",
            "-d",
            classes.toString(),
            descriptor.toString(),
            file.toString());
    assertThat(classes.resolve("module-info.class")).as(printed).exists();
  }

  /** Runs it, and returns its output. */
  private String run(List<String> options, boolean asModule, String main, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(options);
    if (asModule) {
      command.addAll(List.of("-cp", classPath + "/*"));
      command.addAll(List.of("-p", modules + ":" + classes, "-m", "embedder/embedder." + main));
    } else {
      command.addAll(List.of("-cp", modules + "/*:" + classPath + "/*:" + classes));
      command.add("embedder." + main);
    }
    command.addAll(List.of(arguments));
    return start("java", command.toArray(String[]::new));
  }

  private String start(String tool, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(arguments));
    return String.join("\n", ProcessResult.of(new ProcessBuilder(command), 50).lines());
  }
}
