import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.TransactionsApi;
import org.openapitools.client.model.SpendTx;
import org.openapitools.client.model.ListedTransaction;
import org.openapitools.client.model.VerifyRequest;

/** Calls every operation with the generated client. The parsed answer, serialised again, must equal the answer of the server. */
public class Read {
  static final HttpClient HTTP = HttpClient.newHttpClient();

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    ObjectMapper mapper = client.getObjectMapper();
    int count = 0;
    for (JsonNode call : mapper.readTree(new File(args[1]))) {
      String name = call.get("operationId").asText();
      client.updateBaseUri(call.get("url").asText());
      Object read = invoke(client, call);
      JsonNode written = plain(mapper.readTree(mapper.writeValueAsString(read)));
      JsonNode sent = plain(mapper.readTree(ask(call)));
      compare(name, written, sent);
      count += 1;
    }
    Set<String> types = new TreeSet<>();
    BigInteger most = BigInteger.ZERO;
    client.updateBaseUri(args[0]);
    TransactionsApi api = new TransactionsApi(client);
    BigInteger to = BigInteger.valueOf(9999);
    for (ListedTransaction one : api.getTxByGenerationRange(BigInteger.ZERO, to, null, null, null, null, null, null).getTransactions()) {
      Object tx = one.getTx().getActualInstance();
      types.add(tx.getClass().getSimpleName());
      if (tx instanceof SpendTx) most = most.max(((SpendTx) tx).getAmount());
    }
    System.out.println(count + " operations, " + types.size() + " types of transactions, at most " + most);
  }

  /** Throws with the path of the first difference. */
  static void compare(String place, JsonNode written, JsonNode sent) {
    if (written.equals(sent)) return;
    if (written.isObject() && sent.isObject()) {
      for (Iterator<String> i = sent.fieldNames(); i.hasNext(); ) {
        String name = i.next();
        compare(place + "." + name, written.path(name), sent.path(name));
      }
    } else if (written.isArray() && written.size() == sent.size()) {
      for (int i = 0; i < sent.size(); i++) compare(place + "." + i, written.get(i), sent.get(i));
    }
    throw new AssertionError(place + " is " + written + ", not " + sent);
  }

  static Object invoke(ApiClient client, JsonNode call) throws Exception {
    String tag = call.get("tag").asText();
    String api = Character.toUpperCase(tag.charAt(0)) + tag.substring(1) + "Api";
    Class<?> type = Class.forName("org.openapitools.client.api." + api);
    for (Method method : type.getMethods()) {
      Class<?>[] kinds = method.getParameterTypes();
      boolean headers = kinds.length > 0 && kinds[kinds.length - 1] == Map.class;
      if (!method.getName().equals(call.get("operationId").asText()) || headers) continue;
      List<Object> values = new ArrayList<>();
      Iterator<JsonNode> given = call.get("values").elements();
      for (Class<?> kind : kinds) {
        if (kind == VerifyRequest.class) values.add(client.getObjectMapper().treeToValue(call.get("body"), kind));
        else values.add(given.hasNext() ? valueOf(kind, given.next().asText()) : null);
      }
      return method.invoke(type.getConstructor(ApiClient.class).newInstance(client), values.toArray());
    }
    throw new AssertionError("There is no " + call.get("operationId") + " in " + api);
  }

  static Object valueOf(Class<?> kind, String text) {
    if (kind == Long.class) return Long.valueOf(text);
    return kind == BigInteger.class ? new BigInteger(text) : text;
  }

  static String ask(JsonNode call) throws Exception {
    String path = call.get("path").asText();
    for (Iterator<Map.Entry<String, JsonNode>> i = call.get("values").fields(); i.hasNext(); ) {
      Map.Entry<String, JsonNode> value = i.next();
      path = path.replace("{" + value.getKey() + "}", value.getValue().asText());
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(call.get("url").asText() + path));
    if (call.has("body")) {
      request.header("content-type", "application/json");
      request.POST(HttpRequest.BodyPublishers.ofString(call.get("body").toString()));
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Without null members, which the client omits, and without the member with the time of day. */
  static JsonNode plain(JsonNode node) {
    if (node instanceof ObjectNode) {
      List<String> leave = new ArrayList<>(List.of("seconds_since_last_block"));
      node.fields().forEachRemaining((member) -> { if (member.getValue().isNull()) leave.add(member.getKey()); });
      ((ObjectNode) node).remove(leave);
    }
    for (JsonNode inside : node) plain(inside);
    return node;
  }
}
