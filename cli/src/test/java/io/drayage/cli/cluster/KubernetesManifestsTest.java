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
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests against the model of the Kubernetes API, each other, and our command line. */
final class KubernetesManifestsTest {
  private static final Path FOLDER = Path.of("..", "cluster-scripts", "kubernetes");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\((\\w+)\\)");
  private static final String PORT = "7070";
  private static final String OPAQUE_PORTS = "config.linkerd.io/opaque-ports";

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "Namespace", Namespace.class,
          "ConfigMap", ConfigMap.class,
          "Service", Service.class,
          "StatefulSet", StatefulSet.class,
          "PodDisruptionBudget", PodDisruptionBudget.class);

  /** The model keeps what it does not know; here that is an error. */
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
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private static List<HasMetadata> manifests() throws IOException {
    List<HasMetadata> manifests = new ArrayList<>();
    YAMLMapper yaml = new YAMLMapper();
    for (JsonNode name :
        yaml.readTree(FOLDER.resolve("kustomization.yaml").toFile()).get("resources")) {
      String text = Files.readString(FOLDER.resolve(name.asText()));
      for (String document : text.split("\n---\n", -1)) {
        manifests.add(parse(document));
      }
    }
    return manifests;
  }

  private static HasMetadata parse(String document) throws IOException {
    String kind = new YAMLMapper().readTree(document).get("kind").asText();
    assertThat(KINDS).containsKey(kind);
    HasMetadata manifest = STRICT.readValue(document, KINDS.get(kind));
    assertThat(manifest.getApiVersion())
        .as(kind)
        .isEqualTo(HasMetadata.getApiVersion(KINDS.get(kind)));
    return manifest;
  }

  private static <T extends HasMetadata> T only(Class<T> type) throws IOException {
    List<T> found = manifests().stream().filter(type::isInstance).map(type::cast).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static StatefulSet statefulSet(String name) throws IOException {
    List<StatefulSet> found =
        manifests().stream()
            .filter(StatefulSet.class::isInstance)
            .map(StatefulSet.class::cast)
            .filter(each -> each.getMetadata().getName().equals(name))
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static List<PodTemplateSpec> pods() throws IOException {
    return List.of(
        statefulSet("transactor").getSpec().getTemplate(),
        statefulSet("worker").getSpec().getTemplate());
  }

  @Test
  void everyFieldIsOneOfTheApi() throws IOException {
    assertThat(manifests()).hasSize(6);
  }

  @ParameterizedTest
  @CsvSource({
    "replicas:, replikas:, replikas",
    "replicas: 3, replicas: three, Integer",
    "replicas: 3, replicas: \"3\", Integer",
    "replicas: 3, replicas: 3.5, Integer",
    "runAsNonRoot: true, runAsNonRoot: 1, Boolean",
    "skip-outbound-ports: \"2281\", skip-outbound-ports: 2281, String",
    "scheme: HTTPS, scheme: true, String",
    "seccompProfile:, seccompProfil:, seccompProfil",
    "drop: [ALL], drop: ALL, ArrayList",
    "periodSeconds: 5, periodSecond: 5, periodSecond",
    "kind: StatefulSet, kind: StatefullSet, StatefullSet",
  })
  void whatTheApiDoesNotKnowIsAnError(String right, String wrong, String named) throws IOException {
    String worker = Files.readString(FOLDER.resolve("worker.yaml"));
    assertThat(worker).contains(right);
    assertThatThrownBy(() -> parse(worker.replace(right, wrong))).hasMessageContaining(named);
  }

  @Test
  void everyFileIsListed() throws IOException {
    Set<String> listed = new HashSet<>(Set.of("kustomization.yaml"));
    new YAMLMapper()
        .readTree(FOLDER.resolve("kustomization.yaml").toFile())
        .get("resources")
        .forEach(file -> listed.add(file.asText()));
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".yaml"))
          .containsExactlyInAnyOrderElementsOf(listed);
    }
  }

  @Test
  void selectorsFindTheirPods() throws IOException {
    StatefulSet transactors = statefulSet("transactor");
    Map<String, String> labels = transactors.getSpec().getTemplate().getMetadata().getLabels();
    Service service = only(Service.class);
    assertThat(labels).containsAllEntriesOf(transactors.getSpec().getSelector().getMatchLabels());
    assertThat(labels).containsAllEntriesOf(service.getSpec().getSelector());
    assertThat(labels)
        .containsAllEntriesOf(
            only(PodDisruptionBudget.class).getSpec().getSelector().getMatchLabels());
    assertThat(transactors.getSpec().getServiceName()).isEqualTo(service.getMetadata().getName());
    StatefulSet workers = statefulSet("worker");
    assertThat(workers.getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(workers.getSpec().getSelector().getMatchLabels());
  }

  @Test
  void workersHaveNoneOfTheTransactorsSecrets() throws IOException {
    Set<String> transactors = secrets(statefulSet("transactor").getSpec().getTemplate());
    Set<String> workers = secrets(statefulSet("worker").getSpec().getTemplate());

    assertThat(transactors).contains("drayage-store", "drayage-zookeeper");
    assertThat(workers)
        .contains("drayage-store-read", "drayage-zookeeper-worker")
        .doesNotContainAnyElementsOf(transactors);
  }

  @Test
  void eachWorkerProvesANameOfItsOwnThatTransactorsAdmit() throws IOException {
    StatefulSet workers = statefulSet("worker");
    PodTemplateSpec pod = workers.getSpec().getTemplate();
    Volume certificate =
        pod.getSpec().getVolumes().stream()
            .filter(volume -> volume.getName().equals("tls"))
            .findAny()
            .orElseThrow();
    assertThat(certificate.getSecret()).as("a Secret is the same for all").isNull();
    assertThat(certificate.getCsi().getDriver()).isEqualTo("csi.cert-manager.io");
    Map<String, String> asked = certificate.getCsi().getVolumeAttributes();
    assertThat(asked)
        .containsEntry("csi.cert-manager.io/key-encoding", "PKCS8")
        .containsEntry(
            "csi.cert-manager.io/fs-group",
            String.valueOf(pod.getSpec().getSecurityContext().getFsGroup()));
    String name = asked.get("csi.cert-manager.io/dns-names");
    assertThat(name).startsWith("${POD_NAME}.");
    List<String> admitted = new ArrayList<>();
    for (int replica = 0; replica < workers.getSpec().getReplicas(); replica++) {
      admitted.add("--tls-worker=" + name.replace("${POD_NAME}", "worker-" + replica));
    }
    assertThat(container(statefulSet("transactor").getSpec().getTemplate()).getArgs())
        .filteredOn(argument -> argument.startsWith("--tls-worker="))
        .containsExactlyElementsOf(admitted);
  }

  @Test
  void secretsAreNotMountedForOthers() throws IOException {
    for (PodTemplateSpec pod : pods()) {
      assertThat(pod.getSpec().getVolumes())
          .filteredOn(volume -> volume.getSecret() != null)
          .isNotEmpty()
          .allSatisfy(
              volume -> assertThat(volume.getSecret().getDefaultMode()).isEqualTo(0b100_100_000));
    }
  }

  private static Set<String> secrets(PodTemplateSpec pod) {
    Stream<String> environments =
        pod.getSpec().getContainers().stream()
            .flatMap(container -> container.getEnvFrom().stream())
            .filter(source -> source.getSecretRef() != null)
            .map(source -> source.getSecretRef().getName());
    Stream<String> volumes =
        pod.getSpec().getVolumes().stream()
            .filter(volume -> volume.getSecret() != null)
            .map(volume -> volume.getSecret().getSecretName());
    return Stream.concat(environments, volumes).collect(Collectors.toSet());
  }

  @Test
  void theMeshDoesNotGuessTheProtocolOfThePort() throws IOException {
    StatefulSet transactors = statefulSet("transactor");
    Service service = only(Service.class);
    PodTemplateSpec pod = transactors.getSpec().getTemplate();
    assertThat(service.getMetadata().getAnnotations()).containsEntry(OPAQUE_PORTS, PORT);
    assertThat(pod.getMetadata().getAnnotations()).containsEntry(OPAQUE_PORTS, PORT);
    assertThat(service.getSpec().getPorts())
        .singleElement()
        .satisfies(port -> assertThat(port.getPort()).hasToString(PORT));
    assertThat(container(pod).getPorts())
        .filteredOn(port -> port.getName().equals("cargo"))
        .singleElement()
        .satisfies(port -> assertThat(port.getContainerPort()).hasToString(PORT));
    assertThat(container(pod).getArgs()).contains("--listen=0.0.0.0:" + PORT);
  }

  @Test
  void probesAskTheEndpoint() throws IOException {
    for (PodTemplateSpec pod : pods()) {
      Container node = container(pod);
      assertThat(node.getArgs()).contains("--admin=0.0.0.0:9070");
      assertThat(node.getPorts())
          .filteredOn(port -> port.getName().equals("admin"))
          .singleElement()
          .satisfies(port -> assertThat(port.getContainerPort()).isEqualTo(9070));
      assertThat(List.of(node.getReadinessProbe(), node.getLivenessProbe()))
          .extracting(probe -> probe.getHttpGet().getPort().getStrVal())
          .containsOnly("admin");
      assertThat(node.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
      assertThat(node.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/livez");
    }
  }

  private static Container container(PodTemplateSpec pod) {
    assertThat(pod.getSpec().getContainers()).hasSize(1);
    return pod.getSpec().getContainers().get(0);
  }

  @Test
  void podsHaveNoMoreRightsThanTheyNeed() throws IOException {
    for (PodTemplateSpec pod : pods()) {
      Container container = container(pod);
      assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
      assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
      assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
      assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
      assertThat(container.getResources().getLimits()).containsKey("memory");
      Set<String> volumes = new HashSet<>();
      pod.getSpec().getVolumes().forEach(volume -> volumes.add(volume.getName()));
      assertThat(container.getVolumeMounts())
          .extracting(VolumeMount::getName)
          .allMatch(volumes::contains);
    }
  }

  @Test
  void theCommandLineTakesTheArguments() throws IOException {
    Set<String> known = new HashSet<>(only(ConfigMap.class).getData().keySet());
    for (PodTemplateSpec pod : pods()) {
      Container container = container(pod);
      container.getEnv().stream().map(EnvVar::getName).forEach(known::add);
      assertThat(container.getArgs())
          .allSatisfy(argument -> assertThat(variables(argument)).isSubsetOf(known));
      String[] arguments =
          container.getArgs().stream()
              .map(argument -> VARIABLE.matcher(argument).replaceAll("x"))
              .toArray(String[]::new);
      assertThatCode(() -> Drayage.commandLine().parseArgs(arguments)).doesNotThrowAnyException();
    }
  }

  private static Set<String> variables(String argument) {
    Set<String> variables = new HashSet<>();
    Matcher matcher = VARIABLE.matcher(argument);
    while (matcher.find()) {
      variables.add(matcher.group(1));
    }
    return variables;
  }
}
