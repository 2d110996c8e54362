package io.drayage.bench.study;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages;
import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import io.drayage.bench.environment.Checkout;
import io.drayage.bench.link.Link;
import io.drayage.bench.link.LinkedHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that runs a study, from the study's module, with a class path and JVM options of its
 * own. It writes one measurement a line to its standard output.
 *
 * @param module the folder of the study's module
 */
public record StudyProcess(Path module) {
  /** The beginning of a line that names an experiment that was left out because of time. */
  private static final String LEFT_OUT = "left out";

  private static final int WRONG_USAGE = 2;
  private static final long HEADROOM_MIB = 512;
  private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)([mg])");

  /**
   * The outcome of a run.
   *
   * @param figures in the order in which they were measured
   * @param leftOut experiments that were left out because of time, a sentence each
   */
  public record Outcome(List<StudyFigure> figures, List<String> leftOut) {}

  /** Returns the process of a study in this checkout. */
  public static StudyProcess ofName(String study) {
    return new StudyProcess(Checkout.folder(Path.of("bench", "studies")).resolve(study));
  }

  /**
   * Runs the study to its end.
   *
   * @param link the study runs at the transactor's end, its servers at the worker's
   * @param progress receives each figure and the messages of the process
   * @throws StudyException if it cannot be run or fails
   */
  public Outcome run(StudySettings settings, Link link, Consumer<String> progress)
      throws StudyException, IOException, InterruptedException {
    String name = String.valueOf(module.getFileName());
    Path jar = Checkout.jar(module);
    Path options = module.resolve("jvm.options");
    if (!Files.isRegularFile(jar) || !Files.isRegularFile(options)) {
      throw new StudyException(
          "the study %s is not built: './drayage study %s' builds it in a checkout"
              .formatted(name, name),
          false);
    }
    requireMemory(name, options);
    LinkedHost servers = link.worker(1);
    StudySettings whole =
        settings.withServers(
            new StudySettings.Servers(link.text(), servers.address(), servers.prefix()));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + options,
            "-jar",
            jar.toString(),
            ControlMessages.JSON.writeValueAsString(whole));
    Process process = new ProcessBuilder(link.transactor().command(command)).start();
    try {
      process.getOutputStream().close();
      return outcome(name, process, progress);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static Outcome outcome(String name, Process process, Consumer<String> progress)
      throws StudyException, IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    CompletableFuture<Void> errors =
        CompletableFuture.runAsync(() -> hear(process.errorReader(), said, progress));
    List<StudyFigure> figures = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("{")) {
          StudyFigure figure = ControlMessages.JSON.readValue(line, StudyFigure.class);
          figures.add(figure);
          progress.accept(
              format(
                  "%s, %s: %,.3f %s",
                  figure.experiment(), figure.system(), figure.value(), figure.unit()));
        }
      }
    }
    errors.join();
    int code = process.waitFor();
    if (code != 0) {
      String last = said.isEmpty() ? "exit code " + code : said.get(said.size() - 1);
      throw new StudyException(
          code == WRONG_USAGE ? last : "the study %s failed: %s".formatted(name, last),
          code == WRONG_USAGE);
    }
    Outcome outcome =
        new Outcome(
            List.copyOf(figures), said.stream().filter(line -> line.startsWith(LEFT_OUT)).toList());
    requireFigures(name, outcome);
    return outcome;
  }

  /** Requires figures whose ratios are finite numbers, unless all experiments were left out. */
  static void requireFigures(String name, Outcome outcome) throws StudyException {
    if (outcome.figures.isEmpty() && outcome.leftOut.isEmpty()) {
      throw new StudyException("the study %s measured nothing".formatted(name), false);
    }
    for (StudyFigure figure : outcome.figures) {
      if (!(figure.value() > 0 && Double.isFinite(figure.value()))) {
        throw new StudyException(
            "the study %s measured %s %s of %s in %s: a figure must be above 0"
                .formatted(
                    name, figure.value(), figure.unit(), figure.system(), figure.experiment()),
            false);
      }
    }
  }

  private static void hear(BufferedReader from, List<String> said, Consumer<String> progress) {
    from.lines()
        .filter(line -> !line.isBlank())
        .forEach(
            line -> {
              said.add(line.strip());
              if (line.startsWith(LEFT_OUT)) {
                progress.accept(line);
              }
            });
  }

  /** Checks the memory: the kernel would kill a process whose heap exceeds that of the machine. */
  private static void requireMemory(String name, Path options) throws IOException, StudyException {
    Matcher heap = HEAP.matcher(Files.readString(options));
    if (!heap.find()
        || !(ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system)) {
      return;
    }
    long heapMib = Long.parseLong(heap.group(1)) * (heap.group(2).equals("g") ? 1024 : 1);
    long machineMib = system.getTotalMemorySize() >> 20;
    if (machineMib < heapMib + HEADROOM_MIB) {
      throw new StudyException(
          format(
              "the study %s needs %,d MiB of memory (%s and %,d MiB more), but there are %,d MiB",
              name, heapMib + HEADROOM_MIB, heap.group(), HEADROOM_MIB, machineMib),
          false);
    }
  }
}
