package io.drayage.study;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import java.util.List;
import java.util.function.Consumer;

/** Experiments of one publication. {@link java.util.ServiceLoader} finds it. Not thread-safe. */
public interface Study {
  /** The experiments by name, in the order in which they run. */
  List<String> experiments();

  /**
   * Runs the experiment that is asked for, or all.
   *
   * @param results takes each measurement as soon as it is known
   * @throws Exception whatever ends the study early
   */
  void run(StudySettings settings, Consumer<StudyFigure> results) throws Exception;
}
