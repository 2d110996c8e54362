package io.drayage.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.drayage.bench.child.ControlMessages;
import io.drayage.bench.child.StudySettings;
import java.util.ServiceLoader;

/**
 * Runs the one study on the class path. Standard output gets a {@link
 * io.drayage.bench.child.StudyFigure} a line, as JSON; standard error gets progress and errors.
 * Exit code 0 at the end, 1 after a failure, 2 for an unknown experiment.
 */
public final class StudyMain {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private StudyMain() {}

  /** Runs the study; the only argument is the {@link StudySettings} as JSON. */
  public static void main(String[] arguments) throws JsonProcessingException {
    System.exit(run(ControlMessages.JSON.readValue(arguments[0], StudySettings.class)));
  }

  private static int run(StudySettings settings) {
    Study study = ServiceLoader.load(Study.class).findFirst().orElseThrow();
    if (study.experiments().stream().noneMatch(settings::wants)) {
      System.err.println(
          "--experiment %s: one of %s".formatted(settings.experiment(), study.experiments()));
      return WRONG_USAGE;
    }
    try {
      study.run(
          settings, figure -> System.out.println(ControlMessages.JSON.valueToTree(figure) + ""));
      return 0;
    } catch (Exception | OutOfMemoryError e) {
      System.err.println(e);
      return FAILED;
    }
  }
}
