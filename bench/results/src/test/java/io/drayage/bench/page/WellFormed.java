package io.drayage.bench.page;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Checks pages as XML: they are well-formed, except for the content of scripts and styles. */
public final class WellFormed {
  private WellFormed() {}

  /**
   * Returns all elements of a name.
   *
   * @throws org.xml.sax.SAXException if the page is not well-formed
   */
  public static List<Element> elements(String html, String name) throws Exception {
    String markup =
        html.replaceFirst("<!DOCTYPE html>", "")
            .replaceAll("(?s)<(script|style)>.*?</\\1>", "<$1></$1>");
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(markup.getBytes(StandardCharsets.UTF_8)));
    NodeList found = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }
}
