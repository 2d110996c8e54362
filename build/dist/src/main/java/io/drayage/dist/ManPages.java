package io.drayage.dist;

import io.drayage.cli.Drayage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Attributes;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Makes a man page of each command: picocli writes AsciiDoc, of which Asciidoctor makes roff. */
final class ManPages {
  private static final int ISO_DATE_LENGTH = "YYYY-MM-DD".length();

  private static final Map<String, String> EXIT_CODES =
      new TreeMap<>(
          Map.of(
              "0", "It is done.",
              "1", "It failed.",
              "2", "The command line is wrong.",
              "3", "compare: a regression. A node: it ended because of its memory or its log."));

  private ManPages() {}

  /** Arguments: the version, the time of the pages in ISO form, the folder to write them to. */
  public static void main(String[] args) throws IOException {
    CommandSpec root = Drayage.commandLine().getCommandSpec();
    prepare(root, "drayage " + args[0]);
    Path folder = Files.createDirectories(Path.of(args[2]));
    Path sources = Files.createTempDirectory("man");
    try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
      int code =
          ManPageGenerator.generateManPage(sources.toFile(), null, new boolean[0], true, root);
      if (code != CommandLine.ExitCode.OK) {
        throw new IOException("picocli wrote no pages: exit code " + code);
      }
      Options options =
          Options.builder()
              .backend("manpage")
              .safe(SafeMode.UNSAFE)
              .toDir(folder.toFile())
              .attributes(
                  Attributes.builder()
                      .attribute("docdate", args[1].substring(0, ISO_DATE_LENGTH))
                      .build())
              .build();
      for (Path source : files(sources)) {
        Files.writeString(source, joined(Files.readString(source)));
        asciidoctor.convertFile(source.toFile(), options);
      }
    } finally {
      for (Path source : files(sources)) {
        Files.delete(source);
      }
      Files.delete(sources);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /**
   * Gives the commands what pages have and {@code --help} has not: a heading for the examples, and
   * the exit codes. The version is without the commit, which the foot of a page has no room for.
   */
  private static void prepare(CommandSpec command, String version) {
    command.versionProvider(null).version(version);
    UsageMessageSpec usage = command.usageMessage();
    List<String> examples = new ArrayList<>();
    for (String line : usage.footer()) {
      String example = line.replaceFirst("^Examples?: *", "");
      if (!example.isBlank()) {
        examples.add(example.startsWith(" ") ? example : "  " + example);
      }
    }
    usage.footer(examples.toArray(String[]::new)).footerHeading("Examples%n");
    usage.exitCodeListHeading("Exit Status%n").exitCodeList(EXIT_CODES);
    command.subcommands().values().forEach(child -> prepare(child.getCommandSpec(), version));
  }

  /**
   * Continues the line before where AsciiDoc would take the spaces at a line's beginning for code.
   */
  private static String joined(String source) {
    return source.replaceAll("\n\\+\n +", " ");
  }
}
