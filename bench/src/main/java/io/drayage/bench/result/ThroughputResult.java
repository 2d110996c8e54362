package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole comparison, as it is kept.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for, and what the rig chose
 * @param runs every measured iteration, failed ones too, in the order in which they ran
 * @param summary one for each system
 * @param ceilings what the machine can do, and each system's share; null if that was not measured
 * @param study the study's table of whole commits beside ours; null if that was not asked for
 */
public record ThroughputResult(
    int schema,
    Object environment,
    Object config,
    List<Run> runs,
    List<Summary> summary,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Ceilings ceilings,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<StudyRow> study)
    implements KeptResult {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /** Whether every run went well. */
  @Override
  public boolean allOk() {
    return summary.stream().allMatch(system -> system.status() == Status.OK);
  }
}
