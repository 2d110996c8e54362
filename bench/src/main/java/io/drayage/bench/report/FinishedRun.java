package io.drayage.bench.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.page.Page;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Fills the folder of a run, from its {@code run.json}, with what people look at. */
public final class FinishedRun {
  static final String PAGE = "report.html";
  static final String CHARTS = "charts";

  private static final List<String> FILES =
      List.of(ReportRun.FILE_NAME, "iterations.csv", "environment.json");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private FinishedRun() {}

  /**
   * Writes {@code iterations.csv}, {@code environment.json}, {@code report.html} and, with a
   * browser, {@code charts/*.png}.
   *
   * @param folder that holds {@code run.json}
   * @param err hears why there are no images
   * @throws IOException if it cannot be read or written
   */
  public static void complete(Path folder, PrintWriter err)
      throws IOException, InterruptedException {
    ReportRun run = ReportRun.read(folder);
    Files.write(
        folder.resolve("iterations.csv"),
        IterationsCsv.of(run.runs()).getBytes(StandardCharsets.UTF_8));
    JSON.writeValue(folder.resolve("environment.json").toFile(), run.environment());
    writePage(folder, Report.of(List.of(run), filesIn(folder)), err);
  }

  /** Writes a page and the images of its charts. */
  static void writePage(Path folder, Page page, PrintWriter err)
      throws IOException, InterruptedException {
    Path file = folder.resolve(PAGE);
    page.writeTo(file);
    Browser browser = Browser.find(System.getenv());
    if (browser == null) {
      err.println("no PNG of the charts: no Chromium found (%s)".formatted(Browser.VARIABLE));
    } else {
      try {
        ChartImages.write(browser, file, folder.resolve(CHARTS));
      } catch (IOException e) {
        // The page is there; a browser that is broken costs its images.
        err.println("no PNG of the charts: " + e.getMessage());
      }
    }
    err.flush();
  }

  /** What is worth a link, relative to the folder. */
  private static List<String> filesIn(Path folder) throws IOException {
    List<String> files = new ArrayList<>();
    for (String file : FILES) {
      if (Files.exists(folder.resolve(file))) {
        files.add(file);
      }
    }
    Path logs = folder.resolve("logs");
    if (Files.isDirectory(logs)) {
      try (Stream<Path> below = Files.walk(logs)) {
        below
            .filter(file -> file.toString().endsWith(".log"))
            .map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/'))
            .filter(Page::isBeside)
            .sorted()
            .forEach(files::add);
      }
    }
    return files;
  }
}
