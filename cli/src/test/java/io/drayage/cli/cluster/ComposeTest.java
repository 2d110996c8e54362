package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.drayage.cli.Drayage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code compose.yaml} against our command line and itself. {@code ComposeIT} runs it. */
final class ComposeTest {
  private final ComposeFile compose = readFile();

  private static ComposeFile readFile() {
    try {
      return ComposeFile.read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theCommandLineTakesTheArguments() {
    assertThat(compose.services()).filteredOn(compose::isNode).hasSize(4);
    for (String service : compose.services()) {
      if (compose.isNode(service)) {
        List<String> arguments =
            ComposeFile.words((ArrayNode) compose.service(service).get("command"));
        assertThatCode(() -> Drayage.commandLine().parseArgs(arguments.toArray(String[]::new)))
            .as(service)
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void nothingIsReachedFromOutside() {
    assertThat(compose.root().at("/networks/cluster/internal").asBoolean()).isTrue();
    for (String service : compose.services()) {
      assertThat(compose.service(service).has("ports")).as(service).isFalse();
      assertThat(compose.service(service).get("networks")).as(service).hasSize(1);
    }
  }

  @Test
  void everyServiceIsChecked() {
    for (String service : compose.services()) {
      assertThat(compose.service(service).at("/healthcheck/test/0").asText()).isEqualTo("CMD");
      if (compose.isNode(service)) {
        assertThat(compose.healthcheck(service)).last().asString().contains("GET /readyz");
      }
    }
  }

  @Test
  void workersCanOnlyReadTheStore() {
    for (String service : compose.services()) {
      if (compose.isNode(service)) {
        boolean isWorker = arguments(service).get(0).equals("worker");
        List<String> secrets = secrets(service);
        String store = isWorker ? "store-read" : "store";
        assertThat(compose.service(service).at("/environment/AWS_SHARED_CREDENTIALS_FILE").asText())
            .as(service)
            .isEqualTo("/run/secrets/" + store);
        assertThat(secrets).contains(store, "zookeeper-workers");
        if (isWorker) {
          assertThat(secrets).doesNotContain("store", "s3", "s3-read", "zookeeper-login");
        }
      }
    }
  }

  @Test
  void eachNodeHasANameAndACertificateOfItsOwn() {
    Set<String> shared =
        Set.of("store", "store-read", "zookeeper-login", "zookeeper-workers", "tls-ca");
    for (String service : compose.services()) {
      if (compose.isNode(service)) {
        String file = "/run/secrets/" + service;
        assertThat(arguments(service))
            .contains(
                "--name=" + service, "--tls-cert=" + file + "-cert", "--tls-key=" + file + "-key")
            .doesNotContain("--insecure");
        assertThat(secrets(service))
            .filteredOn(secret -> !shared.contains(secret))
            .containsExactlyInAnyOrder(service + "-cert", service + "-key");
      }
    }
    for (String transactor : List.of("transactor-1", "transactor-2")) {
      assertThat(arguments(transactor)).contains("--tls-worker=committer");
    }
  }

  @Test
  @Timeout(60)
  void theScriptMakesEverySecret(@TempDir Path folder) throws Exception {
    Path made = folder.resolve("secrets");
    Process script =
        new ProcessBuilder(
                ComposeFile.SCRIPTS.resolve("compose").resolve("secrets.sh").toString(),
                made.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(script.waitFor()).as(Files.readString(folder.resolve("log"))).isZero();
    List<String> names = new ArrayList<>();
    compose.root().get("secrets").fieldNames().forEachRemaining(names::add);
    try (Stream<Path> files = Files.list(made)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(names);
    }
    assertThat(made.resolve("s3-read")).content().contains("s3proxy.read-only-blobstore=true");
    assertThat(made.resolve("s3")).content().doesNotContain("read-only");
    CertificateFactory x509 = CertificateFactory.getInstance("X.509");
    X509Certificate authority = certificate(x509, made.resolve("tls-ca"));
    for (String service : compose.services()) {
      if (compose.isNode(service)) {
        X509Certificate own = certificate(x509, made.resolve(service + "-cert"));
        own.verify(authority.getPublicKey());
        assertThat(own.getSubjectAlternativeNames())
            .singleElement()
            .satisfies(name -> assertThat(name.get(1)).isEqualTo(service));
        assertThat(made.resolve(service + "-key")).content().contains("BEGIN PRIVATE KEY");
      }
    }
  }

  private static X509Certificate certificate(CertificateFactory x509, Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) x509.generateCertificate(in);
    }
  }

  private List<String> arguments(String service) {
    return ComposeFile.words((ArrayNode) compose.service(service).get("command"));
  }

  private List<String> secrets(String service) {
    return ComposeFile.words((ArrayNode) compose.service(service).get("secrets"));
  }

  @Test
  void secretsComeFromFiles() {
    for (String service : compose.services()) {
      JsonNode used = compose.service(service).path("secrets");
      assertThat(used).allMatch(name -> compose.root().get("secrets").has(name.asText()));
      assertThat(compose.service(service).path("environment").toString())
          .as(service)
          .doesNotContainIgnoringCase("key")
          .doesNotContainIgnoringCase("password");
    }
    assertThat(compose.root().get("secrets"))
        .allSatisfy(secret -> assertThat(secret.get("file").asText()).startsWith("secrets/"));
  }
}
