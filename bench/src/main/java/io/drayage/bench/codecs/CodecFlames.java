package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.result.ResultFolder;
import io.drayage.profiling.FlameGraphs;
import io.drayage.profiling.Profile;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Sample;
import io.drayage.profiling.ThreadRoles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The recordings of codecs and their flame graphs, in one folder.
 *
 * @param folder absolute
 */
public record CodecFlames(Path folder) {
  /**
   * Makes the folder, and deletes the recordings of an earlier run.
   *
   * @param flames the folder
   */
  public static CodecFlames in(Path flames) throws IOException {
    Files.createDirectories(flames);
    ResultFolder.deleteAll(flames, "*.jfr*");
    return new CodecFlames(flames.toAbsolutePath());
  }

  /** The part of a file's name that stands for a combination. */
  static String fileName(Combination combination) {
    return combination.toString().replaceAll("[^A-Za-z0-9.]+", "-");
  }

  private Path recording(String direction, Combination combination) {
    return folder.resolve("%s-%s.jfr".formatted(direction, fileName(combination)));
  }

  /** The recording of one process, until {@link #draw} adds it to those of the processes before. */
  Path part(String direction, Combination combination) {
    Path recording = recording(direction, combination);
    return recording.resolveSibling(recording.getFileName() + ".part");
  }

  /** Adds the recording of one process, and draws the graphs of all. */
  void draw(String direction, Combination combination) throws IOException {
    Path recording = recording(direction, combination);
    Path part = part(direction, combination);
    // A recording is a row of chunks, each readable by itself.
    try (OutputStream out =
        Files.newOutputStream(recording, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      Files.copy(part, out);
    }
    Files.delete(part);
    Profile profile = Profile.read(recording, ThreadRoles.ofDrayage());
    for (ProfilerEvent event : RecordedIterations.EVENTS) {
      List<Sample> samples = profile.samplesOf(event).toList();
      if (!samples.isEmpty()) {
        String name =
            recording.getFileName().toString().replace(".jfr", "-" + event.word() + ".html");
        FlameGraphs.write(
            folder.resolve(name),
            "%s of %s: %s".formatted(direction, combination, event.word()),
            samples);
      }
    }
  }
}
