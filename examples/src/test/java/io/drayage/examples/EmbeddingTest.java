package io.drayage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the programs of docs/embedding.md. */
final class EmbeddingTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "embedding.md");

  private interface Program {
    void main() throws Exception;
  }

  @Test
  void encodeColumnPrintsWhatTheDocumentShows() throws Exception {
    assertThat(printsWhatTheDocumentShows(EncodeColumn::main))
        .contains("equal: true\n")
        .endsWith("1,000,000 rows\n");
  }

  @Test
  void arrowVectorsPrintsWhatTheDocumentShows() throws Exception {
    assertThat(printsWhatTheDocumentShows(ArrowVectors::main)).endsWith("null\tbolt\n");
  }

  @Test
  void serveShipmentsPrintsWhatTheDocumentShows(@TempDir Path folder) throws Exception {
    X509Bundle authority =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    Files.writeString(folder.resolve("authority.pem"), authority.getCertificatePEM());
    writeIdentity(folder, "transactor", "transactor-1", authority);
    writeIdentity(folder, "worker-1", "worker-1", authority);

    assertThat(printsWhatTheDocumentShows(() -> ServeShipments.main(folder.toString())))
        .isEqualTo("snapshot 42\n1 shipment committed\n");
  }

  @Test
  void runTransactorPrintsWhatTheDocumentShows(@TempDir Path folder) throws Exception {
    assertThat(printsWhatTheDocumentShows(() -> RunTransactor.main(folder.toString())))
        .startsWith("/livez: 200");
  }

  private static void writeIdentity(Path folder, String file, String name, X509Bundle authority)
      throws Exception {
    X509Bundle identity =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=" + name)
            .addSanDnsName(name)
            .buildIssuedBy(authority);
    Files.writeString(folder.resolve(file + ".pem"), identity.getCertificatePathPEM());
    Files.writeString(folder.resolve(file + ".key"), identity.getPrivateKeyPEM());
  }

  private static String printsWhatTheDocumentShows(Program program) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.main();
    } finally {
      System.setOut(stdout);
    }
    String lines = printed.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
    assertThat(Files.readString(DOCUMENT)).contains("```\n" + lines + "```\n");
    return lines;
  }

  @ParameterizedTest
  @CsvSource({
    "ServeShipments,limits",
    "ServeShipments,transactor",
    "ServeShipments,worker",
    "ServeShipments,shutdown",
    "ServeShipments,meters",
    "RunTransactor,watched",
    "EncodeColumn,column",
    "EncodeColumn,file",
    "ArrowVectors,arrow"
  })
  void theDocumentShowsTheMarkedLines(String program, String mark) throws IOException {
    Path file = Path.of("src", "main", "java", "io", "drayage", "examples", program + ".java");
    String source = Files.readString(file);
    String begins = "// " + mark + " begin\n";
    int begin = source.indexOf(begins) + begins.length();
    int end = source.lastIndexOf("\n", source.indexOf("// " + mark + " end"));
    String snippet = source.substring(begin, end).stripIndent() + "\n";
    assertThat(Files.readString(DOCUMENT))
        .as("copy the lines between the marks of %s", file)
        .contains("\n```java\n" + snippet + "```\n");
  }
}
