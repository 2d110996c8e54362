package io.drayage.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The charts of a page as PNG files. The page draws them itself, in a browser: what is in a file is
 * what is on the screen.
 */
final class ChartImages {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern IMAGES =
      Pattern.compile(
          "<script type=\"application/json\" id=\"drayage-png\">(.*?)</script>", Pattern.DOTALL);
  private static final String DATA = "data:image/png;base64,";
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 1000;

  private ChartImages() {}

  /**
   * Writes one file for each chart into a folder, and deletes those of charts that are no more.
   *
   * @return their names
   * @throws IOException if the browser fails, or a file cannot be written
   */
  static List<String> write(Browser browser, Path page, Path folder)
      throws IOException, InterruptedException {
    Matcher found = IMAGES.matcher(browser.dump(page, "#png", WIDTH, HEIGHT));
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
}
