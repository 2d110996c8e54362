package io.drayage.study;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import java.util.List;
import java.util.function.Consumer;

/** Experiments of one publication. {@link java.util.ServiceLoader} finds it. Not thread-safe. */
public interface Study {
  /** Returns the experiments by name, in the order in which they run. */
  List<String> experiments();

  /**
   * Runs the requested experiment, or all.
   *
   * @param results receives each measurement at once
   * @throws Exception any failure that ends the study early
   */
  void run(StudySettings settings, Consumer<StudyFigure> results) throws Exception;
}
