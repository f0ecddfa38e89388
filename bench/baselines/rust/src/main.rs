//! Answers the bytes stored under a path, as `http-baseline.mjs` does with Koa: axum and tokio-postgres. Argument: database URL.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{header, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::Router;
use tokio_postgres::{Client, NoTls, Statement};

/// Connections, each with its prepared statement. Requests take them in turn: tokio-postgres pipelines those of one connection.
struct Connections {
    all: Vec<(Client, Statement)>,
    next: AtomicUsize,
}

async fn answer(State(connections): State<Arc<Connections>>, request: Request) -> Response {
    let number = connections.next.fetch_add(1, Ordering::Relaxed) % connections.all.len();
    let (client, statement) = &connections.all[number];
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    match client.query_opt(statement, &[&path]).await {
        Ok(Some(row)) => {
            let body: String = row.get(0);
            ([(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).expect("database URL");
    let mut all = Vec::new();
    for _ in 0..10 {
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("connects");
        tokio::spawn(connection);
        let statement = client.prepare("SELECT body FROM baseline WHERE path = $1").await.expect("prepares");
        all.push((client, statement));
    }
    let state = Arc::new(Connections { all, next: AtomicUsize::new(0) });
    let app = Router::new().fallback(answer).with_state(state);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("listens");
    println!("{}", listener.local_addr().expect("has a port").port());
    axum::serve(listener, app).await.expect("serves");
}
