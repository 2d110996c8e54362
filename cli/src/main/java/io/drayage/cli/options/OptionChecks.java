package io.drayage.cli.options;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.codec.WholeFile;
import io.drayage.files.SecretFile;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Checks of a command's options, before it does anything. Each throws a {@link ParameterException}
 * with one line that says what to write instead.
 *
 * @param command that has the options
 */
public record OptionChecks(CommandSpec command) {
  private static final int MAX_ITERATIONS = 1_000;

  /** Requires {@code condition}. */
  public void require(boolean condition, String message) {
    if (!condition) {
      throw usageError(message);
    }
  }

  /**
   * Returns the result of {@code value}. Its exceptions because of an argument or a state mean
   * wrong usage.
   */
  public <T> T valid(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw usageError(String.valueOf(e.getMessage()));
    }
  }

  /** Requires that {@code value}, if there is one, is {@code min} to {@code max}. */
  public void requireCount(String option, @Nullable Integer value, int min, int max) {
    require(
        value == null || (value >= min && value <= max),
        format("%s must be %d to %d, not %d", option, min, max, value));
  }

  /** Requires that no value of an option is given twice. */
  public void requireDistinct(String option, Collection<?> values) {
    Set<Object> seen = new HashSet<>();
    for (Object value : values) {
      require(seen.add(value), "%s %s is named twice: name each once".formatted(option, value));
    }
  }

  /** Requires a number of iterations from {@code min} to 1,000. */
  public void requireIterations(String option, int value, int min) {
    require(
        value >= min && value <= MAX_ITERATIONS,
        format("%s must be %d to %,d, not %d", option, min, MAX_ITERATIONS, value));
  }

  /**
   * Requires enough memory for an operation on a cargo.
   *
   * @param advice what to do with a smaller cargo, in words
   */
  public void requireMemory(long cargoBytes, long neededBytes, String advice) {
    long availableBytes = HeapPlan.availableBytes();
    require(
        neededBytes <= availableBytes,
        "a cargo of %s needs about %s of memory, %s are available: %s (--size, --cargo)"
            .formatted(
                ByteSize.format(cargoBytes),
                ByteSize.format(neededBytes),
                ByteSize.format(availableBytes),
                advice));
  }

  /** Requires that {@code file}, if there is one, can be read. */
  public void requireReadable(String option, @Nullable Path file) {
    require(
        file == null || (Files.isRegularFile(file) && Files.isReadable(file)),
        "%s %s is not a readable file".formatted(option, file));
  }

  /** Requires that {@code file}, if there is one, can be read, and not by others. */
  public void requireSecret(String option, @Nullable Path file) throws IOException {
    requireReadable(option, file);
    if (file != null) {
      try {
        SecretFile.requirePrivate(file);
      } catch (FileSystemException e) {
        throw usageError("%s %s".formatted(option, e.getMessage()));
      }
    }
  }

  /** Requires that {@code file}, if there is one, can be written. */
  public void requireWritable(String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    require(
        !WholeFile.isNamedPipe(file),
        "%s %s is a pipe, which may have no reader: name a file".formatted(option, file));
    Path folder = file.toAbsolutePath().getParent();
    require(
        folder != null
            && Files.isDirectory(folder)
            && !Files.isDirectory(file)
            && (Files.exists(file) || !Files.isSymbolicLink(file))
            && Files.isWritable(Files.exists(file) ? file : folder),
        "%s %s cannot be written: name a file in a folder that exists".formatted(option, file));
  }

  /** Requires that there is a folder or a file of a run. */
  public void requireRun(Path path) {
    require(!path.toString().isEmpty(), "a name is empty: name the folder of a run");
    require(Files.exists(path), "%s does not exist: name the folder of a run".formatted(path));
    require(
        !WholeFile.isNamedPipe(path),
        "%s is a pipe, which may have no writer: name the folder of a run".formatted(path));
  }

  /** Requires that {@code folder}, if there is one, is no file. */
  public void requireFolder(String option, @Nullable Path folder) {
    require(
        folder == null || !Files.exists(folder) || Files.isDirectory(folder),
        "%s %s is a file: name a folder".formatted(option, folder));
  }

  /** Requires that the profiler can write to files in {@code folder}. */
  public void requireFolderForRecordings(String option, Path folder) {
    require(
        ProfilerOffer.canWriteTo(folder),
        "%s %s: the profiler cannot write to names with a comma or a percent sign: name another folder"
            .formatted(option, folder.toAbsolutePath()));
  }

  /** Returns an exception that means wrong usage. */
  public ParameterException usageError(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
