package io.drayage.bench.report;

import io.drayage.bench.page.Page;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Adds a page, images and CSV to the folder of a run, from its {@code run.json}. */
public final class FinishedRun {
  private FinishedRun() {}

  /**
   * Keeps a result in its folder.
   *
   * @return the result as read back from the file
   * @throws IOException if it cannot be written
   */
  public static ReportRun keep(Result<?> result, ResultFolder folder) throws IOException {
    folder.keep(result);
    return ReportRun.read(folder.path());
  }

  /**
   * Writes {@code report.html} and, with a browser, {@code charts/*.png}.
   *
   * @param folder of the run
   * @param err receives the reason if there are no images
   * @return the page
   * @throws IOException if it cannot be written
   */
  public static Path complete(ReportRun run, Path folder, PrintWriter err)
      throws IOException, InterruptedException {
    return writePage(folder, Report.of(List.of(run), filesIn(folder)), err);
  }

  /**
   * Writes a page and the images of its charts.
   *
   * @param err receives the reason if there are no images
   * @return the page
   */
  public static Path writePage(Path folder, Page page, PrintWriter err)
      throws IOException, InterruptedException {
    Path file = folder.resolve(ResultFolder.PAGE);
    page.writeTo(file);
    Browser browser = Browser.find(System.getenv());
    if (browser == null) {
      err.println("no PNG of the charts: no Chromium found (%s)".formatted(Browser.VARIABLE));
    } else {
      try {
        browser.writeCharts(file, folder.resolve(ResultFolder.CHARTS));
      } catch (IOException e) {
        // The page exists; a broken browser costs only the images.
        err.println("no PNG of the charts: " + e.getMessage());
      }
    }
    err.flush();
    return file;
  }

  /** Returns the files for links, relative to the folder. */
  private static List<String> filesIn(Path folder) throws IOException {
    List<String> files = List.of(ResultFolder.RESULT);
    Path logs = folder.resolve("logs");
    if (!Files.isDirectory(logs)) {
      return files;
    }
    try (Stream<Path> below = Files.walk(logs)) {
      Stream<String> names =
          below
              .filter(file -> file.toString().endsWith(".log"))
              .map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/'))
              .filter(Page::isBeside)
              .sorted();
      return Stream.concat(files.stream(), names).toList();
    }
  }
}
