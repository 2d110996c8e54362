package io.drayage.dist;

import io.drayage.cli.Drayage;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Makes a site of the project's Markdown, that of the README and of {@code docs}, with the files
 * that it links to, the help of all commands, a page of each result in {@code docs/benchmarks}, and
 * the Javadoc of the libraries. Fails if a link leads nowhere.
 */
final class DocsSite {
  private static final List<String> LIBRARIES =
      List.of("parallel-codec", "columnar", "transport-netty", "cluster/store", "cluster/node", "connectors/arrow");
  private static final Path BENCHMARKS = Path.of("docs", "benchmarks");
  private static final Path COMMANDS = Path.of("commands.md");
  private static final int COLUMNS = 100;

  private final Path root;
  private final Path site;
  private final Map<Path, Page> pages = new TreeMap<>();
  private final Map<Path, Path> reports = new TreeMap<>();

  private DocsSite(Path root, Path site) {
    this.root = root;
    this.site = site;
  }

  /** Arguments: the project's folder, where the site goes. */
  public static void main(String[] args) throws IOException {
    new DocsSite(Path.of(args[0]).toRealPath(), Path.of(args[1]).toAbsolutePath()).make();
  }

  private void make() throws IOException {
    readPages();
    makeReports();
    Navigation navigation = Navigation.of(pages, LIBRARIES, currentReport());
    Links links = new Links(root, pages, reports);
    pages.values().forEach(links::turn);
    if (!links.broken.isEmpty()) {
      throw new IOException("links that lead nowhere: " + String.join(", ", links.broken));
    }
    for (Path folder : links.folders) {
      addFolder(folder, links);
    }
    String template = resource("page.html");
    for (Page page : pages.values()) {
      write(page.target(), navigation.around(page, template));
    }
    write(Path.of("site.css"), resource("site.css"));
    for (Path file : links.files) {
      copy(root.resolve(file), site.resolve(file));
    }
    for (String library : LIBRARIES) {
      Path javadoc = root.resolve(library).resolve(Path.of("target", "reports", "apidocs"));
      copyFolder(javadoc, site.resolve("javadoc").resolve(library));
    }
  }

  private void readPages() throws IOException {
    for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
      read(Path.of(name));
    }
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      for (Path file : docs.filter(path -> path.toString().endsWith(".md")).sorted().toList()) {
        read(root.relativize(file));
      }
    }
    pages.put(COMMANDS, Page.of(COMMANDS, commands()));
  }

  private void read(Path file) throws IOException {
    pages.put(file, Page.of(file, Files.readString(root.resolve(file))));
  }

  /** The help of all commands that are shown. */
  private static String commands() {
    StringBuilder text = new StringBuilder("# Commands\n");
    CommandLine all = Drayage.commandLine().setUsageHelpAutoWidth(false).setUsageHelpWidth(COLUMNS);
    append(text, all);
    return text.toString();
  }

  private static void append(StringBuilder text, CommandLine command) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    text.append("\n## %s%n%n```%n".formatted(command.getCommandSpec().qualifiedName()))
        .append(command.getUsageMessage(Ansi.OFF).stripTrailing())
        .append("\n```\n");
    command.getSubcommands().values().forEach(child -> append(text, child));
  }

  /** Those of our results that {@code report} reads: of throughput and ladder. */
  private void makeReports() throws IOException {
    try (Stream<Path> results = Files.list(root.resolve(BENCHMARKS))) {
      for (Path json :
          results.filter(path -> path.toString().endsWith(".json")).sorted().toList()) {
        Path file = root.relativize(json);
        Path folder = file.resolveSibling(file.getFileName().toString().replace(".json", ""));
        if (report(json, site.resolve(folder)) == CommandLine.ExitCode.OK) {
          reports.put(file, folder.resolve("report.html"));
        }
      }
    }
  }

  private static int report(Path json, Path folder) {
    PrintWriter nobody = new PrintWriter(new StringWriter());
    return Drayage.commandLine()
        .setOut(nobody)
        .setErr(nobody)
        .execute("report", json.toString(), "--out=" + folder);
  }

  private Path currentReport() throws IOException {
    Path current = reports.get(BENCHMARKS.resolve("loopback-five-systems-1gb.json"));
    if (current == null) {
      throw new IOException("there is no page of the current benchmark");
    }
    return current;
  }

  /** A page that lists the files of a folder, but for what a build made of them. */
  private void addFolder(Path folder, Links links) throws IOException {
    StringBuilder list = new StringBuilder("# " + folder + "\n\n");
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Path name = root.resolve(folder).relativize(file);
        if (!name.startsWith("target")) {
          list.append("- [%s](%s)%n".formatted(name, name));
        }
      }
    }
    Page page = Page.of(folder.resolve("README.md"), list.toString());
    links.turn(page);
    pages.put(page.source(), page);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = DocsSite.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void write(Path file, String text) throws IOException {
    Path to = site.resolve(file);
    Files.createDirectories(to.getParent());
    Files.writeString(to, text);
  }

  private static void copyFolder(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.write(to, Files.readAllBytes(from));
  }
}
