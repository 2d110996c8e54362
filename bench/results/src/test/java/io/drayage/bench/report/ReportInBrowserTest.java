package io.drayage.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.history.History;
import io.drayage.bench.history.HistoryFolder;
import io.drayage.bench.history.HistoryPage;
import io.drayage.bench.history.KeptHistory;
import io.drayage.bench.page.Page;
import io.drayage.bench.result.Run;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of three links, drawn by a browser. */
@Timeout(300)
final class ReportInBrowserTest {
  private static final Pattern FIGURE =
      Pattern.compile("<figure[^>]*data-chart=\"([^\"]+)\"[^>]*>");
  private static final Pattern DRAWN = Pattern.compile("data-drawn=\"([1-9]\\d*)\"");

  @TempDir private Path folder;
  private Browser browser;
  private Page page;
  private Path file;

  @BeforeEach
  void writePage() throws Exception {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.remove(Browser.VARIABLE, Browser.NONE);
    Browser found = Browser.find(environment);
    assumeTrue(found != null, "no Chromium on the path: the report is not drawn");
    browser = found;
    List<Run> withFailure = KeptRuns.runs();
    withFailure.add(Run.failed("netty:a-system-of-a-rather-long-name+none@cores", 1, "gone"));
    page =
        Report.of(
            List.of(
                ReportRun.read(KeptRuns.keep(folder.resolve("1"), "loopback", KeptRuns.runs())),
                ReportRun.read(KeptRuns.keep(folder.resolve("2"), "1gbit", withFailure)),
                ReportRun.read(KeptRuns.keep(folder.resolve("3"), "10gbit", KeptRuns.runs()))),
            List.of());
    file = folder.resolve("report.html");
    page.writeTo(file);
  }

  /**
   * The page in a frame of each width, because a window has a minimum width, and the resulting
   * elements as text.
   */
  private static final String FRAMES =
      """
      <!DOCTYPE html><body>
      <iframe style="border:0;width:1280px;height:900px" srcdoc="PAGE"></iframe>
      <iframe style="border:0;width:390px;height:900px" srcdoc="PAGE"></iframe>
      <script>
      const frames = [...document.querySelectorAll('iframe')];
      const texts = [];
      frames.forEach((frame, number) => frame.onload = () => {
        const found = frame.contentDocument.querySelectorAll('html, figure');
        texts[number] = [...found].map(element => element.cloneNode(false).outerHTML).join('\\n');
        if (Object.keys(texts).length == frames.length) {
          document.body.textContent = texts.join('\\nNEXT\\n');
        }
      });
      </script></body>
      """;

  @Test
  void drawsEveryChartOnAScreenAndAPhone() throws Exception {
    requireDrawn();
  }

  @Test
  void drawsResultsOverTime() throws Exception {
    Path history = folder.resolve("history");
    KeptHistory.keep(history, "main", 20, 10, 1.15, 1);
    page = HistoryPage.of(History.read(new HistoryFolder(history)));
    requireDrawn();
  }

  private void requireDrawn() throws Exception {
    String escaped = page.toHtml().replace("&", "&amp;").replace("\"", "&quot;");
    Path framed = Files.writeString(folder.resolve("framed.html"), FRAMES.replace("PAGE", escaped));
    String dom = browser.dump(framed, "", 1400, 1900).replace("&lt;", "<").replace("&gt;", ">");
    List<String> frames = List.of(dom.split("\nNEXT\n", -1));
    assertThat(frames).as(dom).hasSize(2);
    requireDrawn(frames.get(0), 1280);
    requireDrawn(frames.get(1), 390);
  }

  private void requireDrawn(String dom, int width) {
    List<MatchResult> figures = FIGURE.matcher(dom).results().toList();
    assertThat(figures.stream().map(figure -> figure.group(1)))
        .containsExactlyElementsOf(page.chartIds());
    for (MatchResult figure : figures) {
      assertThat(DRAWN.matcher(figure.group()).find())
          .as("%s at %d pixels: %s", figure.group(1), width, figure.group())
          .isTrue();
    }
    String root = dom.lines().filter(line -> line.contains("data-theme")).findFirst().orElse(dom);
    assertThat(root).contains("data-overflow=\"0\"", "data-width=\"" + width + "\"");
    assertThat(root).as("an error of the script").doesNotContain("data-error");
  }

  @Test
  @Tag("ci")
  void makesAnImageOfEveryChart() throws Exception {
    Path charts = folder.resolve("charts");
    List<String> names = browser.writeCharts(file, charts);
    assertThat(names)
        .containsExactlyElementsOf(page.chartIds().stream().map(id -> id + ".png").toList());
    for (String name : names) {
      BufferedImage image = ImageIO.read(charts.resolve(name).toFile());
      assertThat(image.getWidth()).as(name).isGreaterThan(1000);
      assertThat(colors(image)).as("colours of " + name).isGreaterThan(3);
    }
  }

  private static int colors(BufferedImage image) {
    Set<Integer> colors = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y += 3) {
      for (int x = 0; x < image.getWidth(); x += 3) {
        colors.add(image.getRGB(x, y));
      }
    }
    return colors.size();
  }
}
