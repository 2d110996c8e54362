package io.drayage.cli;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The main class of the run that the JVM watches to make an archive of classes. It runs a
 * transactor and workers in one process, by the commands that users give. Their folder is deleted.
 */
public final class ArchiveTraining {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern ZOOKEEPER = Pattern.compile("zookeeper (\\S+)");

  /** The systems that nodes use most often. */
  private static final List<String> SYSTEMS =
      List.of("netty:columnar+none@cores", "netty:raw+none@cores");

  private ArchiveTraining() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int code;
    try (TemporaryFolder folder = TemporaryFolder.make("drayage-archive-")) {
      code = run(folder.path());
    }
    System.exit(code);
  }

  private static int run(Path folder) throws IOException, InterruptedException {
    StringWriter printed = new StringWriter();
    Thread transactor =
        new Thread(
            () ->
                execute(
                    new PrintWriter(printed),
                    "transactor --listen 127.0.0.1:0 --zookeeper-port 0 --size 10MB --data",
                    folder.toString()));
    transactor.setDaemon(true);
    transactor.start();
    String zookeeper = zookeeper(printed);
    int code = 0;
    for (String system : SYSTEMS) {
      code |=
          execute(
              new PrintWriter(System.err, true, StandardCharsets.UTF_8),
              "worker commit --size 10MB --count 8 --on-conflict overwrite --system " + system,
              "--zookeeper",
              zookeeper,
              "--store",
              "fs:" + folder.resolve("store"),
              "--json",
              folder.resolve("json").toString());
    }
    return code;
  }

  private static int execute(PrintWriter out, String words, String... more) {
    CommandLine command = Drayage.commandLine().setOut(out);
    return command.execute(
        Stream.concat(Stream.of(words.split(" ", -1)), Stream.of(more)).toArray(String[]::new));
  }

  private static String zookeeper(StringWriter printed) throws IOException, InterruptedException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < endNs) {
      Matcher matcher = ZOOKEEPER.matcher(printed.toString());
      if (matcher.find()) {
        return matcher.group(1);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IOException(format("the transactor is not ready within %d s", PATIENCE.toSeconds()));
  }
}
