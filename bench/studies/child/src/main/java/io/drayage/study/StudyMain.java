package io.drayage.study;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Runs the one study on the class path: a measurement a line on standard output, as JSON; progress
 * and errors on standard error. Exit code 0 when done, 1 after a failure, 2 for wrong options.
 */
public final class StudyMain {
  private static final int DEFAULT_BUDGET_SECONDS = 110;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private StudyMain() {}

  /**
   * Options: {@code --experiment E --objects N --full --seed S --budget SECONDS --link NAME
   * --servers ADDRESS}, and {@code --servers-prefix WORD}, once for each word.
   */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    StudySettings settings;
    Study study;
    try {
      settings = settings(arguments);
      study = ServiceLoader.load(Study.class).findFirst().orElseThrow();
      String experiment = settings.experiment();
      if (experiment != null && !study.experiments().contains(experiment)) {
        throw new IllegalArgumentException(
            "--experiment %s: one of %s".formatted(experiment, study.experiments()));
      }
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return WRONG_USAGE;
    }
    try {
      study.run(settings, measurement -> System.out.println(measurement.json()));
      return 0;
    } catch (Exception | OutOfMemoryError e) {
      System.err.println(e);
      return FAILED;
    }
  }

  static StudySettings settings(String[] arguments) {
    String experiment = null;
    Integer objects = null;
    boolean full = false;
    long seed = 1;
    int budget = DEFAULT_BUDGET_SECONDS;
    String link = StudySettings.Servers.LOOPBACK.link();
    String servers = StudySettings.Servers.LOOPBACK.address();
    List<String> serversPrefix = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      String option = arguments[i];
      if (option.equals("--full")) {
        full = true;
        budget = Integer.MAX_VALUE;
        continue;
      }
      String value = i + 1 < arguments.length ? arguments[++i] : null;
      switch (option) {
        case "--experiment" -> experiment = given(option, value);
        case "--objects" -> objects = Math.toIntExact(number(option, value));
        case "--seed" -> seed = number(option, value);
        case "--budget" -> budget = Math.toIntExact(number(option, value));
        case "--link" -> link = given(option, value);
        case "--servers" -> servers = given(option, value);
        case "--servers-prefix" -> serversPrefix.add(given(option, value));
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    return new StudySettings(
        experiment,
        objects,
        full,
        seed,
        budget,
        new StudySettings.Servers(link, servers, serversPrefix));
  }

  private static String given(String option, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return value;
  }

  private static long number(String option, @Nullable String value) {
    try {
      return Integer.parseInt(given(option, value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("%s %s: not a number".formatted(option, value), e);
    }
  }
}
