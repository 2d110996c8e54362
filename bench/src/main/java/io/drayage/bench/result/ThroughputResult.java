package io.drayage.bench.result;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A whole comparison, as it is kept.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for, and what the rig chose
 * @param runs every measured iteration, failed ones too, in the order in which they ran
 * @param summary one for each system
 */
public record ThroughputResult(
    int schema, Object environment, Object config, List<Run> runs, List<Summary> summary) {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /**
   * Writes the result as JSON; what is null is written as null.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeTo(Path file) throws IOException {
    JsonFile.write(file, this);
  }

  /** Whether every run went well. */
  public boolean allOk() {
    return summary.stream().allMatch(system -> system.status() == Status.OK);
  }
}
