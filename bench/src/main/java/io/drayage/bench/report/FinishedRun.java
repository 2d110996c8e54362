package io.drayage.bench.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.page.Page;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.ResultFolder;
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
  private static final List<String> FILES =
      List.of(ResultFolder.RESULT, ResultFolder.ITERATIONS, ResultFolder.ENVIRONMENT);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private FinishedRun() {}

  /**
   * Keeps a result whose verdict has been said, and all that people look at beside it. Where it
   * lies goes to {@code err}.
   *
   * @throws IOException if it cannot be written
   */
  public static void keep(KeptResult result, ResultFolder folder, PrintWriter err)
      throws IOException, InterruptedException {
    folder.keep(result);
    complete(folder.path(), err);
    err.println("kept in " + folder.path());
    err.flush();
  }

  /**
   * Writes {@code iterations.csv}, {@code environment.json}, {@code report.html} and, with a
   * browser, {@code charts/*.png}.
   *
   * @param folder that holds {@code run.json}
   * @param err hears why there are no images
   * @throws IOException if it cannot be read or written
   */
  static void complete(Path folder, PrintWriter err) throws IOException, InterruptedException {
    ReportRun run = ReportRun.read(folder);
    Files.write(
        folder.resolve(ResultFolder.ITERATIONS),
        IterationsCsv.of(run.runs()).getBytes(StandardCharsets.UTF_8));
    JSON.writeValue(folder.resolve(ResultFolder.ENVIRONMENT).toFile(), run.environment());
    writePage(folder, Report.of(List.of(run), filesIn(folder)), err);
  }

  /** Writes a page and the images of its charts. */
  static void writePage(Path folder, Page page, PrintWriter err)
      throws IOException, InterruptedException {
    Path file = folder.resolve(ResultFolder.PAGE);
    page.writeTo(file);
    Browser browser = Browser.find(System.getenv());
    if (browser == null) {
      err.println("no PNG of the charts: no Chromium found (%s)".formatted(Browser.VARIABLE));
    } else {
      try {
        ChartImages.write(browser, file, folder.resolve(ResultFolder.CHARTS));
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
