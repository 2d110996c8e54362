package io.drayage.cli;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.rig.ClassArchive;
import io.drayage.bench.rig.ClassArchive.Form;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code drayage archive}: makes an archive of classes, for {@code ./drayage} and for images. */
@Command(
    name = "archive",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = {
      "Makes an archive of the classes that nodes load, for this JDK, jar and options of the JVM,",
      "and a file of the options that use it: java @FILE -jar drayage.jar ...",
      ""
    },
    footer = {
      "",
      "Examples, beside drayage.jar:",
      "  java -XX:+UseParallelGC -jar drayage.jar archive nodes.options"
    })
public final class ArchiveCommand implements Callable<Integer> {
  private static final long TRAINING_DEADLINE_S = 120;
  private static final long TRIAL_DEADLINE_S = 20;

  @Parameters(
      paramLabel = "FILE",
      description = "The file for the options; the archive is in the same folder.")
  private Path file = Path.of("");

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path options = file.toAbsolutePath();
    Path folder = Objects.requireNonNull(options.getParent());
    Files.createDirectories(folder);
    Form form = Form.ofThisJvm();
    Path archive = options.resolveSibling(options.getFileName() + form.suffix());
    Path made = Files.createTempFile(folder, "archive-", form.suffix());
    Path log = options.resolveSibling(options.getFileName() + ".log");
    try {
      Files.delete(made); // The JVM writes a new archive.
      run(form.record(made), TRAINING_DEADLINE_S, log, ArchiveTraining.class.getName());
      // Running nodes keep the archive that they have mapped.
      Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
      run(form.use(archive), TRIAL_DEADLINE_S, log, Drayage.class.getName(), "--version");
      write(options, form.use(archive));
    } catch (IOException e) {
      // A later start does not try it again.
      write(options, List.of());
      throw e;
    } finally {
      Files.deleteIfExists(made);
    }
    return 0;
  }

  private static void run(List<String> archive, long deadlineS, Path log, String... main)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ClassArchive.without(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    command.addAll(archive);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(main));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
            .start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(deadlineS, TimeUnit.SECONDS)) {
        throw new IOException(format("no archive within %d s; see %s", deadlineS, log));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(format("no archive: exit code %d; see %s", process.exitValue(), log));
    }
  }

  /** Writes lines in the format that the launcher of Java reads. */
  private static void write(Path options, List<String> lines) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      text.append('"').append(line.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"\n");
    }
    Path made = options.resolveSibling(options.getFileName() + ".new");
    Files.writeString(made, text);
    Files.move(made, options, StandardCopyOption.ATOMIC_MOVE);
  }
}
