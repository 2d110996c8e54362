package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.drayage.cli.Drayage;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the manifests with the Kubernetes API, each other, and the command line. */
final class KubernetesManifestsTest {
  private static final Path FOLDER = Path.of("..", "cluster-scripts", "kubernetes");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\((\\w+)\\)");

  /** The manifests by kind and name. */
  private static final Map<String, JsonNode> MANIFESTS = new TreeMap<>();

  private static final String POD = "/spec/template";
  private static final String CONTAINER = POD + "/spec/containers/0";

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "Namespace", Namespace.class,
          "ConfigMap", ConfigMap.class,
          "Service", Service.class,
          "StatefulSet", StatefulSet.class,
          "PodDisruptionBudget", PodDisruptionBudget.class);

  /** Fails for unknown fields, which the model would keep. */
  private static final class NothingElse extends JacksonAnnotationIntrospector {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }

  private static final ObjectMapper STRICT =
      YAMLMapper.builder()
          .annotationIntrospector(new NothingElse())
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private static JsonNode parse(String document) throws IOException {
    JsonNode manifest = new YAMLMapper().readTree(document);
    Class<? extends HasMetadata> kind = KINDS.get(manifest.get("kind").asText());
    assertThat(STRICT.readValue(document, kind).getApiVersion())
        .isEqualTo(HasMetadata.getApiVersion(kind));
    return manifest;
  }

  @BeforeAll
  static void readWhatIsApplied() throws IOException {
    Path listed = FOLDER.resolve("kustomization.yaml");
    for (String file : texts(new YAMLMapper().readTree(listed.toFile()).get("resources"))) {
      for (String document : Files.readString(FOLDER.resolve(file)).split("\n---\n", -1)) {
        JsonNode manifest = parse(document);
        MANIFESTS.put(
            manifest.get("kind").asText() + " " + manifest.at("/metadata/name").asText(), manifest);
      }
    }
    assertThat(MANIFESTS).hasSize(6);
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  @ParameterizedTest
  @CsvSource({
    "periodSeconds: 5, periodSecond: 5, periodSecond",
    "replicas: 3, replicas: \"3\", Integer",
    "skip-outbound-ports: \"2281\", skip-outbound-ports: 2281, String",
  })
  void whatTheApiDoesNotKnowIsAnError(String right, String wrong, String named) throws IOException {
    String worker = Files.readString(FOLDER.resolve("worker.yaml"));
    assertThat(worker).contains(right);
    assertThatThrownBy(() -> parse(worker.replace(right, wrong))).hasMessageContaining(named);
  }

  /** Names, ports, paths and modes that are in two manifests, or in an argument. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Service transactor             | /spec/selector/app.kubernetes.io~1name             | transactor",
        "PodDisruptionBudget transactor | /spec/selector/matchLabels/app.kubernetes.io~1name | transactor",
        "StatefulSet transactor         | POD/metadata/labels/app.kubernetes.io~1name        | transactor",
        "StatefulSet transactor         | /spec/serviceName                                  | transactor",
        "Service transactor             | /metadata/annotations/config.linkerd.io~1opaque-ports | 7070",
        "StatefulSet transactor | POD/metadata/annotations/config.linkerd.io~1opaque-ports | 7070",
        "Service transactor     | /spec/ports/0/port                                       | 7070",
        "Service transactor     | /spec/ports/0/targetPort                                 | cargo",
        "StatefulSet transactor | CONTAINER/ports/0/name                                   | cargo",
        "StatefulSet transactor | CONTAINER/ports/0/containerPort                          | 7070",
        "StatefulSet transactor | CONTAINER/args/2                          | --listen=0.0.0.0:7070",
        "StatefulSet transactor | CONTAINER/args/4                          | --admin=0.0.0.0:9070",
        "StatefulSet transactor | CONTAINER/ports/1/name                    | admin",
        "StatefulSet transactor | CONTAINER/ports/1/containerPort           | 9070",
        "StatefulSet transactor | CONTAINER/readinessProbe/httpGet/port     | admin",
        "StatefulSet transactor | CONTAINER/readinessProbe/httpGet/path     | /readyz",
        "StatefulSet transactor | CONTAINER/livenessProbe/httpGet/port      | admin",
        "StatefulSet transactor | CONTAINER/livenessProbe/httpGet/path      | /livez",
        "StatefulSet worker     | CONTAINER/args/3                          | --admin=0.0.0.0:9070",
        "StatefulSet worker     | CONTAINER/ports/0/name                    | admin",
        "StatefulSet worker     | CONTAINER/ports/0/containerPort           | 9070",
        "StatefulSet worker     | CONTAINER/readinessProbe/httpGet/port     | admin",
        "StatefulSet worker     | CONTAINER/readinessProbe/httpGet/path     | /readyz",
        "StatefulSet worker     | CONTAINER/livenessProbe/httpGet/port      | admin",
        "StatefulSet worker     | CONTAINER/livenessProbe/httpGet/path      | /livez",
        // 0440: a node refuses secrets that others can read.
        "StatefulSet transactor | POD/spec/volumes/0/secret/defaultMode     | 288",
        "StatefulSet transactor | POD/spec/volumes/1/secret/defaultMode     | 288",
        "StatefulSet worker     | POD/spec/volumes/1/secret/defaultMode     | 288",
        // The pods are stricter than this standard.
        "Namespace drayage      | /metadata/labels/pod-security.kubernetes.io~1enforce | restricted",
        "StatefulSet transactor | POD/spec/automountServiceAccountToken     | false",
        "StatefulSet worker     | POD/spec/automountServiceAccountToken     | false",
        "StatefulSet transactor | CONTAINER/securityContext/readOnlyRootFilesystem | true",
        "StatefulSet worker     | CONTAINER/securityContext/readOnlyRootFilesystem | true",
      })
  void manifestsAgree(String manifest, String field, String value) {
    JsonNode found =
        MANIFESTS.get(manifest).at(field.replace("CONTAINER", CONTAINER).replace("POD", POD));
    assertThat(found.asText()).isEqualTo(value);
  }

  @Test
  void workersHaveNoneOfTheTransactorsSecrets() {
    List<String> transactors = secrets(MANIFESTS.get("StatefulSet transactor"));
    assertThat(transactors).contains("drayage-store", "drayage-zookeeper");
    assertThat(secrets(MANIFESTS.get("StatefulSet worker")))
        .contains("drayage-store-read", "drayage-zookeeper-worker")
        .doesNotContainAnyElementsOf(transactors);
  }

  private static List<String> secrets(JsonNode statefulSet) {
    List<String> secrets = statefulSet.findValuesAsText("secretName");
    statefulSet.findValues("secretRef").forEach(each -> secrets.add(each.get("name").asText()));
    return secrets;
  }

  @Test
  void eachWorkerProvesANameOfItsOwnThatTransactorsAdmit() {
    JsonNode worker = MANIFESTS.get("StatefulSet worker");
    // All pods would share a Secret.
    JsonNode asked = worker.at(POD + "/spec/volumes/0/csi/volumeAttributes");
    assertThat(asked.get("csi.cert-manager.io/key-encoding").asText()).isEqualTo("PKCS8");
    assertThat(asked.get("csi.cert-manager.io/fs-group").asText())
        .isEqualTo(worker.at(POD + "/spec/securityContext/fsGroup").asText());
    String name = asked.get("csi.cert-manager.io/dns-names").asText();
    assertThat(name).startsWith("${POD_NAME}.");
    List<String> admitted = new ArrayList<>();
    for (int replica = 0; replica < worker.at("/spec/replicas").asInt(); replica++) {
      admitted.add("--tls-worker=" + name.replace("${POD_NAME}", "worker-" + replica));
    }
    assertThat(texts(MANIFESTS.get("StatefulSet transactor").at(CONTAINER + "/args")))
        .filteredOn(argument -> argument.startsWith("--tls-worker="))
        .containsExactlyElementsOf(admitted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"transactor", "worker"})
  void theCommandLineTakesTheArguments(String name) {
    JsonNode container = MANIFESTS.get("StatefulSet " + name).at(CONTAINER);
    List<String> arguments = texts(container.get("args"));
    List<String> known = container.get("env").findValuesAsText("name");
    MANIFESTS.get("ConfigMap drayage").get("data").fieldNames().forEachRemaining(known::add);
    assertThat(VARIABLE.matcher(String.join(" ", arguments)).results())
        .extracting(variable -> variable.group(1))
        .isSubsetOf(known);
    assertThatCode(
            () ->
                Drayage.commandLine()
                    .parseArgs(
                        arguments.stream()
                            .map(argument -> VARIABLE.matcher(argument).replaceAll("x"))
                            .toArray(String[]::new)))
        .doesNotThrowAnyException();
  }
}
