package io.drayage.bench.report;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Chromium without a window, which draws a page. The environment variable {@code DRAYAGE_BROWSER}
 * names it; {@code none} is none; without it, the usual names are looked for on the path.
 */
final class Browser {
  static final String VARIABLE = "DRAYAGE_BROWSER";
  static final String NONE = "none";

  private static final List<String> NAMES =
      List.of(
          "chromium",
          "chromium-browser",
          "google-chrome",
          "google-chrome-stable",
          "chrome-headless-shell");
  private static final int DELETE_ATTEMPTS = 50;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final Path program;

  private Browser(Path program) {
    this.program = program;
  }

  /** The one to be used; null if there is none. */
  static @Nullable Browser find(Map<String, String> environment) {
    String named = environment.get(VARIABLE);
    if (named != null) {
      return named.equals(NONE) ? null : new Browser(Path.of(named));
    }
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      for (String name : NAMES) {
        Path candidate = Path.of(folder, name);
        if (!folder.isEmpty() && Files.isExecutable(candidate)) {
          return new Browser(candidate);
        }
      }
    }
    return null;
  }

  /**
   * Opens a page and returns it as it is when its scripts are done.
   *
   * @param fragment of the address, such as {@code #png}; may be empty
   * @param width of the window, in pixels
   * @throws IOException if the browser cannot be started, fails or does not end in time
   */
  String dump(Path page, String fragment, int width, int height)
      throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory("drayage-browser-");
    Path output = profile.resolve("page.html");
    Path log = profile.resolve("log");
    try {
      run(command(profile, page.toUri() + fragment, width, height), output, log);
      return Files.readString(output, StandardCharsets.UTF_8);
    } finally {
      deleteAll(profile);
    }
  }

  private List<String> command(Path profile, String address, int width, int height) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--headless");
    if (System.getProperty("user.name").equals("root")) {
      // Chromium refuses to run its sandbox as root. The page is our own and may load nothing.
      command.add("--no-sandbox");
    }
    command.add("--disable-gpu");
    command.add("--disable-dev-shm-usage");
    command.add("--disable-extensions");
    command.add("--no-first-run");
    command.add("--user-data-dir=" + profile.resolve("profile"));
    command.add("--window-size=%d,%d".formatted(width, height));
    command.add("--dump-dom");
    command.add(address);
    return command;
  }

  private void run(List<String> command, Path output, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(
            "%s did not end within %,d s".formatted(program, DEADLINE.toSeconds()));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException("%s ended with exit code %d".formatted(program, process.exitValue()));
    }
  }

  /** Helper processes of the browser, which are about to end, may still write. */
  private static void deleteAll(Path folder) {
    for (int attempt = 1; attempt <= DELETE_ATTEMPTS; attempt++) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
        return;
      } catch (IOException | UncheckedIOException e) {
        if (attempt == DELETE_ATTEMPTS) {
          System.getLogger(Browser.class.getName())
              .log(Level.WARNING, "{0} is left behind: {1}", folder, e.toString());
        }
      }
    }
  }
}
