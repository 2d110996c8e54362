package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.result.ResultFolder;
import io.drayage.internal.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A headless Chromium. The environment variable {@code DRAYAGE_BROWSER} names it, or is {@code
 * none} for no browser. Without the variable, the usual names are searched on the path.
 */
public record Browser(Path program) {
  /** The environment variable. */
  public static final String VARIABLE = "DRAYAGE_BROWSER";

  /** The value of {@link #VARIABLE} for no browser. */
  public static final String NONE = "none";

  private static final List<String> NAMES =
      List.of(
          "chromium",
          "chromium-browser",
          "google-chrome",
          "google-chrome-stable",
          "chrome-headless-shell");
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern IMAGES =
      Pattern.compile(
          "<script type=\"application/json\" id=\"drayage-png\">(.*?)</script>", Pattern.DOTALL);
  private static final String DATA = "data:image/png;base64,";
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 1000;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Returns the browser of this machine; null if there is none. */
  public static @Nullable Browser find(Map<String, String> environment) {
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
   * Writes one PNG per chart into a folder and deletes the earlier ones. The page draws the charts
   * itself, so the files are the same as on the screen.
   *
   * @return their names
   * @throws IOException if the browser fails, or a file cannot be written
   */
  List<String> writeCharts(Path page, Path folder) throws IOException, InterruptedException {
    Matcher found = IMAGES.matcher(dump(page, "#png", WIDTH, HEIGHT));
    if (!found.find()) {
      throw new IOException("the browser drew no charts of " + page);
    }
    Files.createDirectories(folder);
    ResultFolder.deleteAll(folder, "*.png");
    List<String> names = new ArrayList<>();
    for (JsonNode image : JSON.readTree(found.group(1))) {
      String name = image.path("name").asText();
      String url = image.path("url").asText();
      if (!name.matches("[a-z0-9-]+") || !url.startsWith(DATA)) {
        throw new IOException("the browser gave no image of the chart " + name);
      }
      Files.write(
          folder.resolve(name + ".png"), Base64.getDecoder().decode(url.substring(DATA.length())));
      names.add(name + ".png");
    }
    return names;
  }

  /**
   * Opens a page and returns its HTML once its scripts are done.
   *
   * @param fragment of the address, such as {@code #png}; may be empty
   * @param width of the window, in pixels
   * @throws IOException if the browser cannot be started, fails or does not end in time
   */
  String dump(Path page, String fragment, int width, int height)
      throws IOException, InterruptedException {
    try (TemporaryFolder profile = TemporaryFolder.make("drayage-browser-")) {
      Path output = profile.path().resolve("page.html");
      Path log = profile.path().resolve("log");
      String size = format("--window-size=%d,%d", width, height);
      run(command(profile.path(), size, "--dump-dom", page.toUri() + fragment), output, log);
      return Files.readString(output, StandardCharsets.UTF_8);
    }
  }

  /**
   * Returns a command that starts it.
   *
   * @param profile folder of its files
   * @param more further arguments, such as the address of a page
   */
  public List<String> command(Path profile, String... more) {
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
    command.addAll(List.of(more));
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
        throw new IOException(format("%s did not end within %,d s", program, DEADLINE.toSeconds()));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(format("%s ended with exit code %d", program, process.exitValue()));
    }
  }
}
