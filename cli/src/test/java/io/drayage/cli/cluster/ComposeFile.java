package io.drayage.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.testing.ProcessResult;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** {@code compose.yaml} and the Dockerfile of its image, unchanged. */
final class ComposeFile {
  private static final Path SCRIPTS = Path.of("..", "cluster-scripts");
  private static final Path FILE = SCRIPTS.resolve("compose").resolve("compose.yaml");
  private static final Path DOCKERFILE = SCRIPTS.resolve("kubernetes").resolve("Dockerfile");

  private final JsonNode root;
  private final String dockerfile;

  private ComposeFile(JsonNode root, String dockerfile) {
    this.root = root;
    this.dockerfile = dockerfile;
  }

  static ComposeFile read() throws IOException {
    ObjectMapper json = new ObjectMapper();
    try (Reader reader = Files.newBufferedReader(FILE)) {
      // Jackson does not merge the contents of anchors.
      Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
      return new ComposeFile(
          json.valueToTree(content), Files.readString(DOCKERFILE).replace("\\\n", ""));
    }
  }

  /** Makes the secrets by the script for users. */
  static void makeSecrets(Path folder) throws IOException, InterruptedException {
    String script = SCRIPTS.resolve("compose/secrets.sh").toString();
    Object unused = ProcessResult.of(new ProcessBuilder(script, folder.toString()), 60).succeeded();
  }

  JsonNode root() {
    return root;
  }

  List<String> services() {
    List<String> names = new ArrayList<>();
    root.get("services").fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Returns the services with Drayage's image. */
  List<String> nodes() {
    return services().stream().filter(this::isNode).toList();
  }

  JsonNode service(String name) {
    return root.get("services").get(name);
  }

  boolean isNode(String service) {
    return service(service).has("build");
  }

  /** Returns the command of the service's container. */
  List<String> command(String service) throws IOException {
    List<String> all = new ArrayList<>(words(service, "entrypoint"));
    if (all.isEmpty()) {
      all.addAll(instruction("ENTRYPOINT"));
    }
    all.addAll(words(service, "command"));
    return all;
  }

  /** Returns the health check of the service, without the word {@code CMD}. */
  List<String> healthcheck(String service) {
    List<String> test = words(service(service).at("/healthcheck/test"));
    return test.subList(1, test.size());
  }

  /** Returns the command of the only instruction of its kind in the Dockerfile. */
  List<String> instruction(String name) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + name + " (\\[.*])$").matcher(dockerfile);
    if (!found.find()) {
      throw new IllegalStateException("the Dockerfile has no " + name);
    }
    return words(new ObjectMapper().readTree(found.group(1)));
  }

  /** Returns a list of a service; empty if it has none. */
  List<String> words(String service, String list) {
    return words(service(service).path(list));
  }

  private static List<String> words(JsonNode list) {
    List<String> words = new ArrayList<>();
    list.forEach(word -> words.add(word.asText().replace("$$", "$")));
    return words;
  }
}
