package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.drayage.cli.Drayage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares {@code compose.yaml} with the command line. {@code ComposeIT} runs it. */
final class ComposeTest {
  private ComposeFile compose;

  @BeforeEach
  void read() throws IOException {
    compose = ComposeFile.read();
  }

  /** Each node has its own name and certificate, and workers can only read the store. */
  @Test
  void theCommandLineTakesTheArgumentsAndSecretsAreWhereTheySay() {
    assertThat(compose.nodes()).hasSize(4);
    for (String node : compose.nodes()) {
      List<String> arguments = compose.words(node, "command");
      assertThatCode(() -> Drayage.commandLine().parseArgs(arguments.toArray(String[]::new)))
          .as(node)
          .doesNotThrowAnyException();
      boolean isWorker = arguments.get(0).equals("worker");
      String store = isWorker ? "store-read" : "store";
      List<String> secrets =
          new ArrayList<>(
              List.of(store, "zookeeper-workers", "tls-ca", node + "-cert", node + "-key"));
      secrets.addAll(isWorker ? List.of() : List.of("zookeeper-login"));
      assertThat(compose.words(node, "secrets")).containsExactlyInAnyOrderElementsOf(secrets);
      secrets.remove(store);
      assertThat(arguments)
          .contains(
              "--name=" + node,
              "--tls-cert=/run/secrets/" + node + "-cert",
              "--tls-key=/run/secrets/" + node + "-key",
              "--admin=127.0.0.1:9070")
          .doesNotContain("--insecure")
          .filteredOn(argument -> argument.contains("/run/secrets/"))
          .extracting(argument -> argument.substring(argument.lastIndexOf('/') + 1))
          .hasSameElementsAs(secrets);
      assertThat(arguments.contains("--tls-worker=committer")).as(node).isNotEqualTo(isWorker);
      assertThat(compose.service(node).at("/environment/AWS_SHARED_CREDENTIALS_FILE").asText())
          .isEqualTo("/run/secrets/" + store);
      assertThat(compose.healthcheck(node)).last().asString().contains("127.0.0.1:9070/readyz");
    }
  }

  @Test
  void nothingIsReachedFromOutside() {
    assertThat(compose.root().at("/networks/cluster/internal").asBoolean()).isTrue();
    for (String service : compose.services()) {
      assertThat(compose.words(service, "networks")).as(service).containsExactly("cluster");
      assertThat(compose.service(service).has("ports")).as(service).isFalse();
    }
  }

  @Test
  void theScriptMakesEverySecret(@TempDir Path folder) throws Exception {
    Path made = folder.resolve("secrets");
    ComposeFile.makeSecrets(made);
    List<String> names = new ArrayList<>();
    compose.root().get("secrets").fieldNames().forEachRemaining(names::add);
    try (Stream<Path> files = Files.list(made)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(names);
    }
    assertThat(made.resolve("s3-read")).content().contains("s3proxy.read-only-blobstore=true");
    assertThat(made.resolve("s3")).content().doesNotContain("read-only");
    X509Certificate authority = certificate(made.resolve("tls-ca"));
    for (String node : compose.nodes()) {
      X509Certificate own = certificate(made.resolve(node + "-cert"));
      own.verify(authority.getPublicKey());
      assertThat(own.getSubjectAlternativeNames())
          .singleElement()
          .satisfies(name -> assertThat(name.get(1)).isEqualTo(node));
      assertThat(made.resolve(node + "-key")).content().contains("BEGIN PRIVATE KEY");
    }
  }

  private static X509Certificate certificate(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
