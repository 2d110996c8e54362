package io.drayage.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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

/** {@code compose.yaml} and the Dockerfile of the image that it names, as they are. */
final class ComposeFile {
  static final Path SCRIPTS = Path.of("..", "cluster-scripts");
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
      // Not by Jackson, which does not merge what anchors name.
      Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
      return new ComposeFile(
          json.valueToTree(content), Files.readString(DOCKERFILE).replace("\\\n", ""));
    }
  }

  JsonNode root() {
    return root;
  }

  List<String> services() {
    List<String> names = new ArrayList<>();
    root.get("services").fieldNames().forEachRemaining(names::add);
    return names;
  }

  JsonNode service(String name) {
    return root.get("services").get(name);
  }

  /** Whether its image is ours. */
  boolean isNode(String service) {
    return service(service).has("build");
  }

  /** What the service's container runs. */
  List<String> command(String service) throws IOException {
    JsonNode own = service(service).get("entrypoint");
    List<String> all =
        new ArrayList<>(own == null ? instruction("ENTRYPOINT") : words((ArrayNode) own));
    JsonNode arguments = service(service).get("command");
    if (arguments != null) {
      all.addAll(words((ArrayNode) arguments));
    }
    return all;
  }

  /** What tells whether the service is healthy, without the word {@code CMD}. */
  List<String> healthcheck(String service) {
    List<String> test = words((ArrayNode) service(service).get("healthcheck").get("test"));
    return test.subList(1, test.size());
  }

  /** The command of the only instruction of its kind in the Dockerfile. */
  List<String> instruction(String name) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + name + " (\\[.*])$").matcher(dockerfile);
    if (!found.find()) {
      throw new IllegalStateException("the Dockerfile has no " + name);
    }
    return words((ArrayNode) new ObjectMapper().readTree(found.group(1)));
  }

  static List<String> words(ArrayNode list) {
    List<String> words = new ArrayList<>();
    list.forEach(word -> words.add(word.asText().replace("$$", "$")));
    return words;
  }
}
